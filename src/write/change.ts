/** What normal form changes (§8). */

/** Why a node can not be written as it stands; `normalize.ts` has a sentence for each. */
export type Change =
  | 'adjacent'
  | 'break'
  | 'character'
  | 'empty'
  | 'info'
  | 'nested'
  | 'reference'
  | 'separator'
  | 'space'
  | 'title'
  | 'url'

/** Is told of every node that does not stay as it is. */
export type Report = (node: object, change: Change) => void
