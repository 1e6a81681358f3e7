/**
 * Random sources for the differential test: strings of the dialect's own characters, near misses of its constructs,
 * constructs inside one another, blocks over several lines. The same seed gives the same strings.
 */

import { fromVisible } from '../fixtures/invisible.js'
import { separator } from './forced-formatting.js'

export type Random = () => number

/** A generator of numbers from 0 to 1, exclusive (mulberry32): small, and the same on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** One hostile source, mostly of 1 to 40 characters. */
export function randomSource(random: Random): string {
  const source = pick(random, kinds)(random)
  const mutated = random() < 0.3 ? mutate(random, source) : source
  return random() < 0.1 ? stretch(random, mutated) : mutated
}

/** Pieces of source, separated by white space. Invisible characters are spelled as in `fixtures/`. */
function pieces(rows: TemplateStringsArray, ...backticks: string[]): string[] {
  return String.raw(rows, ...backticks)
    .trim()
    .split(/\s+/)
    .map(fromVisible)
}

function forced(rows: readonly string[]): string[] {
  return rows.map((row) => row.replaceAll('¦', separator))
}

/** Pieces for §4: delimiters, letters, white space, and one or two of each kind of neighbor. */
const emphasisPieces = pieces`
  * * * ** ** *** **** _ _ - - __ -- \ \* \_ \- a b a 1 ␠ ␠ ␠ ⟦U+000A⟧ . , : ; / / " ' | ( ) [ ] { } =
  < > ! ? ~
  中 の 。 「 」 ・ “ ” „ » « – ‿ ✅ 👍🏽 ⟦U+200B⟧ ⟦U+FE0F⟧ ⟦U+0301⟧
  ${'`a`'} <@1|> [a](xy:b) http://a http://a/ http://a/* a**b -> <- -: =- ,- ¯\_(ツ)_/¯
  -% -@ -\ -# _% -* _* *. *.. ⟦U+2063⟧
`

/** Pieces for §3.6 (`¦` is the separator): delimiters next to it, and everything that pairs or binds tighter. */
const forcedPieces = forced(pieces`
  ¦ ¦ ¦ ¦ ¦* ¦** ¦*** ¦_ ¦- *¦ **¦ ***¦ _¦ -¦ ¦* *¦ ¦_ _¦ ¦*¦ ¦_¦ *¦* ¦** **¦ \¦ ¦\ ¦\* \*¦ ¦¦
  * ** *** _ - __ -- \ \* [ [ ] ] ( ) ](xy:z) ](xy:¦*) ]( ](http://a) [a](xy:b) [¦*b](xy:b) ${'` `a` `¦*` `*¦`'}
  <@1|> <@1|*¦> <@a|¦> http://a http://¦ http://a/ http:// a b 中 . .. / , : ! " 「 」 % @ # ␠ ␠ ⟦U+00A0⟧ ⟦U+000A⟧
  ⟦U+000A⟧ ⟦U+200B⟧ ¯\_(ツ)_/¯ ✅
`)

/** Whole forced pairs, with content of each kind. */
const forcedPairs = forced(pieces`
  ¦*a*¦ ¦**.**¦ ¦**a␠b**¦ ¦_a␠b_¦ ¦-,-¦ ¦_⟦U+000A⟧a_¦ ¦*␠*¦ ¦*[a](xy:b)*¦ [¦*a*¦](xy:b) ¦**http://a**¦ ¦-¦**a**¦-¦
  ¦*¦*a*¦*¦ ${'¦*`a`*¦'}
`)

/** Pieces for §3.4 and §3.5. */
const linkPieces = pieces`
  [ [ ] ] ( ) ]( ]( ](http://a) ](xy:z) ](x:y) ](xy: ](a) [a](x1:y) \[ \] \( \) \\ \: \ a b ␠ ⟦U+000A⟧ < > \<
  <@1> <@a|b>
  [http://a](http://a) [http\://a](http://a) [xy:_a_](xy:a) http:// https:// HTTP://
  http:/ http\:// http://a https://a.b/c http://[::1] http://[a](bc:d)
  ? ! . , : ; ' " * _ - ** *http://a* _http://a_ -http://a- / # = { } ${'` `` `a`'}
  中 。 （ ） ・ 、 “ ” „ « » … ⟦U+00A0⟧ ⟦U+0085⟧ ⟦U+FEFF⟧ ⟦U+0301⟧ ¯\_(ツ)_/¯
`

/** All of the dialect's characters, and some ordinary ones. */
const soupPieces = pieces`
  \ ${'`'} * _ - [ ] ( ) < > @ ! | # : / . , ; " ' = ~ ? { } + & % $ ^ ␠ ␠ ␉ ⟦U+000A⟧ ⟦U+000A⟧ ␍ ␍⟦U+000A⟧
  ⟦U+000C⟧ ⟦U+000B⟧ ␀ ⟦U+0007⟧ a B 0 7 é ß Ω ш 中 か カ 한 ก ー ゠ ℃ ① ㋐ 。 「 」 ： ＊ “ ” „ ‘ ’ » « – — … ‿ ¡ € ´ ©
  ↔ 🎉 👩⟦U+200D⟧💻 👍🏽 1⟦U+FE0F⟧⟦U+20E3⟧ 🇩🇪 ⟦U+E0062⟧ ⟦U+200B⟧ ⟦U+200D⟧ ⟦U+200F⟧ ⟦U+00AD⟧ ⟦U+00A0⟧
  ⟦U+2028⟧ ⟦U+2063⟧ ⟦U+3000⟧
  ⟦U+FEFF⟧ ⟦U+0301⟧ ⟦U+093F⟧ ⟦U+FE0F⟧ ⟦U+20E3⟧ ⟦U+D83D⟧ ⟦U+DE00⟧ ¯ ツ ¯\_(ツ)_/¯ http:// https://
  http://a <@ <@1 <@1| <! ](
`

/** Backslashes and the characters that may follow them. */
const escapePieces = pieces`
  \ \ \\ ${'` ``'} * _ - [ ] < # : ( ) a ␠ ⟦U+000A⟧ @ 1 | > ¯ ¯\_(ツ)_/¯ \_(ツ)_/¯ (ツ) http://a ](xy:
  <@1| <@\1>
`

/** Whole lines and their beginnings (§2). */
const linePieces = pieces`
  #␠ ##␠ ###␠ # *␠ *␠␠ *␠*␠ *␠* * *␉ -␠ 1.␠ >␠ ␠␠␠ ␉ <!1|> <!1|a.pdf> <!a␠b|> <!1> <!1|>x <@1|> ---
  ␠␠a a a␠␠
  ** _x x_ -y y- [a ](xy:z) http://a ⟦U+00A0⟧ \ *␠a #␠a ␀
  ${'``` ```js ```␠js␠␠a␠b␠ ```` ␠␠``` ␉``` ```a` b␠` ` '}
`

const allPieces = [...emphasisPieces, ...forcedPieces, ...linkPieces, ...soupPieces, ...linePieces]

const lineEndings = ['\n', '\n', '\n', '\r\n', '\r', '\n\n', ' \n', '\n ', '\n\t']

const kinds: readonly ((random: Random) => string)[] = [
  (random) => join(random, emphasisPieces, 14),
  (random) => join(random, emphasisPieces, 10),
  (random) => join(random, narrowed(random, emphasisPieces, 5), 12),
  (random) => join(random, narrowed(random, emphasisPieces, 8), 16),
  (random) => join(random, forcedPieces, 14),
  (random) => join(random, narrowed(random, forcedPieces, 7), 16),
  (random) => join(random, narrowed(random, [...forcedPieces, ...forcedPairs, ...emphasisPieces], 8), 14),
  (random) => join(random, narrowed(random, [...forcedPairs, ...forcedPairs, ...emphasisPieces, ...linkPieces], 8), 10),
  (random) => join(random, linkPieces, 9),
  (random) => join(random, narrowed(random, [...linkPieces, ...emphasisPieces], 7), 10),
  (random) => join(random, soupPieces, 16),
  (random) => join(random, escapePieces, 12),
  (random) => nested(random, 4),
  (random) => `${nested(random, 3)}${pick(random, [' ', '', '\n', '.', 'a'])}${nested(random, 3)}`,
  (random) => lines(random, 5, () => pick(random, linePieces)),
  (random) => lines(random, 4, () => pick(random, linePieces) + join(random, soupPieces, 4)),
  (random) => lines(random, 3, () => pick(random, linePieces) + nested(random, 2)),
  (random) => join(random, allPieces, random() < 0.1 ? 80 : 12),
  (random) => (random() < 0.2 ? atLimit(random) : join(random, linkPieces, 5)),
]

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('nothing to pick from')
  return value
}

function join(random: Random, choices: readonly string[], countMax: number): string {
  return times(random, countMax, () => pick(random, choices)).join('')
}

function times(random: Random, countMax: number, make: () => string): string[] {
  return Array.from({ length: 1 + Math.floor(random() * countMax) }, make)
}

/** Only a few pieces, so that equal ones are often near each other. */
function narrowed(random: Random, choices: readonly string[], countMax: number): string[] {
  return times(random, countMax, () => pick(random, choices))
}

/** A construct around others, with neighbors that matter. */
function nested(random: Random, depth: number): string {
  const inner =
    depth === 0 || random() < 0.2
      ? join(random, ['a', 'b', '中', '.', '/', ' ', '1', '✅'], 3)
      : nestedRow(random, depth)
  return pick(random, wrappings).replace('x', () => inner)
}

function nestedRow(random: Random, depth: number): string {
  return times(random, 2, () => nested(random, depth - 1)).join(
    pick(random, ['', '', ' ', 'a', ',', '\n', '/', separator]),
  )
}

/** A construct one below, at and one above a limit of §2 or §3. */
function atLimit(random: Random): string {
  const filled = (limit: number): string =>
    pick(random, ['a', 'a', '\\', '_', '😀', '中']).repeat(limit + pick(random, [-1, 0, 1]))
  const depth = 32 + pick(random, [-1, 0, 1])
  return pick(random, [
    `<@${filled(128)}|>`,
    `<@1${filled(127)}>`,
    `<!${filled(128)}|a>`,
    `<@a|${filled(256)}>`,
    `<!a|${filled(256)}>`,
    `[a](${'a'.repeat(pick(random, [0, 1, 2, 31, 32, 33]))}:b)`,
    `[a](xy:z${'('.repeat(depth)}${')'.repeat(depth)})`,
    `[a](xy:z${'\\('.repeat(depth)}${'()'.repeat(depth)})`,
  ])
}

/** Wrappings of `x`; `¦` is the separator. */
const wrappings = forced(pieces`
  **x** *x* ***x*** _x_ -x- x x "x" (x) [x] [x](http://a) [x](mailto:a_b) http://a/x http://a/x/
  ${'`x`'} <@1|x> **x:**
  \x axb 「x」 /x/
  ¦**x**¦ ¦*x*¦ ¦_x_¦ ¦-x-¦ ¦*x ¦_x_ *x*¦
`)

function lines(random: Random, countMax: number, make: () => string): string {
  return times(random, countMax, () => make() + pick(random, lineEndings)).join('') + (random() < 0.5 ? make() : '')
}

/** Removes, doubles, replaces or adds one or two characters. */
function mutate(random: Random, source: string): string {
  const characters = [...source]
  for (let count = 1 + Math.floor(random() * 2); count > 0; count -= 1) {
    const at = Math.floor(random() * (characters.length + 1))
    const added = pick(random, [
      pick(random, soupPieces),
      pick(random, emphasisPieces),
      pick(random, forcedPieces),
      characters[at] ?? '',
    ])
    characters.splice(at, random() < 0.6 ? 1 : 0, ...(random() < 0.6 ? [added] : []))
  }
  return characters.join('')
}

/** Inserts plain text that is longer than a parser may read character by character. */
function stretch(random: Random, source: string): string {
  const at = Math.floor(random() * (source.length + 1))
  const letters = pick(random, ['a', 'b ', 'plain text ', 'http', 'é', '中', '. '])
  return source.slice(0, at) + letters.repeat(1 + Math.floor(random() * 40)) + source.slice(at)
}
