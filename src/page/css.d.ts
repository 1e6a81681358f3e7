/** The build replaces an import of a style sheet by its text. */
declare module '*.css' {
  const text: string
  export default text
}
