/** Positions in a text, from offsets. */
import type { Position } from '../../tree.js'

/** Returns the position of a range; undefined for values without a source text. */
export type Places = (start: number, end: number) => Position | undefined

export const nowhere: Places = () => undefined
