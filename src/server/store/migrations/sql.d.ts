/** A migration is built in as text. */
declare module '*.sql' {
  const text: string
  export default text
}
