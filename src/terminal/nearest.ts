/** Finds the known word that a mistyped word probably means. */

/** Returns the known word that begins with the given one or needs the fewest edits; undefined if no word is near. */
export function nearestWord(word: string, knownWords: readonly string[]): string | undefined {
  let best: string | undefined
  let fewestEdits = Number.POSITIVE_INFINITY
  for (const candidate of knownWords) {
    const edits = isBeginning(word, candidate) ? 0 : editDistance(word, candidate)
    if (edits >= fewestEdits) continue
    fewestEdits = edits
    best = candidate
  }
  // Up to two wrong letters in five count as a typing error. With more, the user means another word.
  return best !== undefined && fewestEdits <= 0.4 * best.length ? best : undefined
}

/** Returns the end of an error about an unknown word: the nearest known word, or else the command to see, `otherwise`. */
export function suggestion(word: string, knownWords: readonly string[], otherwise: string): string {
  const nearest = nearestWord(word, knownWords)
  return nearest === undefined ? `; see ${otherwise}` : `; did you mean ${nearest}?`
}

function isBeginning(word: string, candidate: string): boolean {
  return /[^-]/.test(word) && candidate.startsWith(word)
}

/** Returns the number of insertions, deletions, replacements and swaps of neighbors that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        valueAt(last, column) + 1,
        valueAt(current, column - 1) + 1,
        valueAt(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? valueAt(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return valueAt(last, to.length)
}

function valueAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
