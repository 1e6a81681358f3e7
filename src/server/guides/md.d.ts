/** A guide is built in as text. */
declare module '*.md' {
  const text: string
  export default text
}
