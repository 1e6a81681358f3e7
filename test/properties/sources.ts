/** Sources for the properties: the package's own arbitraries, and variants of the chapters' examples. */

import fc from 'fast-check'
import { piece } from '../../src/arbitraries/pieces.js'
import { anySource } from '../../src/arbitraries/sources.js'
import { readChapters } from '../fixtures/chapter.js'

export { hostileHref, hostileText } from '../../src/arbitraries/pieces.js'

/** The examples of the chapters with a few characters removed, added, doubled or exchanged. */
const nearExamples: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...readChapters().flatMap(({ examples }) => examples.flatMap(({ blocks }) => blocks))),
    fc.array(
      fc.record({ at: fc.nat({ max: 400 }), removed: fc.nat({ max: 2 }), added: fc.oneof(fc.constant(''), piece) }),
      { maxLength: 3 },
    ),
  )
  .map(([example, edits]) => {
    const characters = [...example]
    for (const { at, removed, added } of edits) characters.splice(at % (characters.length + 1), removed, added)
    return characters.join('')
  })

/** A string shaped like the dialect. */
export const source: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: anySource, weight: 14 },
  { arbitrary: nearExamples, weight: 3 },
)
