/** A style sheet is built in as text. */
declare module '*.css' {
  const text: string
  export default text
}
