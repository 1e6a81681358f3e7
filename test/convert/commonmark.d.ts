/** The part of commonmark.js that the tests use; it has no types. */
declare module 'commonmark' {
  export interface Node {
    readonly type: string
    readonly firstChild: Node | null
    readonly next: Node | null
    readonly literal: string | null
    readonly level: number | undefined
    readonly listType: 'bullet' | 'ordered'
    readonly listStart: number
    readonly listTight: boolean
  }
  export class Parser {
    parse(markdown: string): Node
  }
}
