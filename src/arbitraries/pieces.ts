/** Parts of strings of the dialect: the characters and sequences that its rules are about. */
import fc from 'fast-check'

/** Splits each string at its spaces. */
export function split(...strings: string[]): string[] {
  return strings.flatMap((string) => string.split(' '))
}

/** Characters of every set in the rules of §1 to §4. A counterexample shrinks to the first character of a set. */
const letters: readonly string[] = split('a b Z 0 7 é ß Ω ж א م \u0301 \u093F')
const markers: readonly string[] = split('* _ - ` \\ [ ] ( ) < > @ ! | # : /')
const whiteSpace: readonly string[] = [' ', ' ', '\n', '\t', '\r', '\r\n', '\u00A0', '\u2028', '\u3000', '\f']
const punctuation: readonly string[] = split(`. , ; " ' = ~ ? { } + & % $ ^ “ ” „ ‘ « » ¡ ¿ … – — ‿ € ´`)
const unspacedCharacters: readonly string[] = split('中 の カ ー ・ 한 ก 。 、 「 」 （ ： ； ＊ ＿ － ℃ ① ㋐')
const emoji: readonly string[] = split(
  '✅ 🎉 👍🏽 👩\u200D💻 1\uFE0F\u20E3 🇩🇪 \uFE0F \u200D \u200B \u200F \u00AD \uFEFF \u{E0062}',
)
const unusualCharacters: readonly string[] = split('\0 \u0007 \v \u0085 \uD83D \uDE00 \uFFFF \uFFFD \u{10FFFF} ¶')

/** Sequences that are markup together, or nearly. */
const tokens: readonly string[] = [
  ...split('** *** **** __ -- `` ``` ```` \\* \\_ \\\\ \\` \\[ \\: \\( # ## ###'),
  ...['*  ', '* ', '# ', '  ', '\n\n', '\n* ', '\n```', '\n# '],
  ...split('<@ <@1 <@1> <@1|> <@a|b> <@1|*> <@a> <! <!1|> <!1|a.pdf> |> ]( ](x: ](xx:y) ](http://a)'),
  ...split('[a](xx:y) [] [](xx:y) [a](y) http:// https:// HTTP:// http://a https://a.b/_c_ http://a/* http://a)'),
  ...split('http://a] http://[::1] http\\:// mailto:a javascript:a snake_case -5 10-20 :-) -_- ^_^ ¯\\_(ツ)_/¯ ¯ (ツ)'),
  ...['[a](xx:y', `[a](xx:${'('.repeat(34)}`],
  ...split('*.js *.. -% -* _* **/ /* */ -> <- @- &amp; &#42; <b> </p> <br> --> <!-- "*" \'-\''),
  ...split('(* （* (*´ (*≧ *\uFE0F\u20E3 don`t it`s ,http://a ;http:// http://a/%41 foo()``` ```a:b'),
  ...['(*≈ ', '(*¯\\_(ツ)_/¯'],
]

const separators: readonly string[] = split(
  '\u2063 \u2063* *\u2063 \u2063** **\u2063 \u2063_ _\u2063 \u2063- -\u2063',
  '\u2063*\u2063 \u2063*** \u2063\u2063 \\\u2063 \u2063\\* \\*\u2063 \u2063*a*\u2063',
)

/** A separator, most often next to a delimiter (§3.6). */
export const separator: fc.Arbitrary<string> = fc.constantFrom(...separators)

/** One character or token, most often markup. */
export const piece: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { arbitrary: fc.constantFrom(...letters), weight: 4 },
  { arbitrary: fc.constantFrom(...markers), weight: 8 },
  { arbitrary: fc.constantFrom(...whiteSpace), weight: 3 },
  { arbitrary: fc.constantFrom(...punctuation), weight: 2 },
  { arbitrary: fc.constantFrom(...unspacedCharacters), weight: 1 },
  { arbitrary: fc.constantFrom(...emoji), weight: 1 },
  { arbitrary: fc.constantFrom(...unusualCharacters), weight: 1 },
  { arbitrary: fc.constantFrom(...tokens), weight: 4 },
  { arbitrary: separator, weight: 2 },
)

/** Any pieces in any order. */
export const anyPieces: fc.Arbitrary<string> = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

/** Hostile values of names, labels and URLs. */
const attackStrings: readonly string[] = [
  ...['', ' ', '"><script>alert(1)</script>', "' onload=alert(1) x='", '<!-- -->', ']]>', '</p>', '</a>'],
  ...['</code></pre>', '<img src=x onerror=alert(1)>', '&quot;', '&#x22;', '`onclick=alert(1)`', '\\"', 'download'],
  ...['\0', '\uD800', '\u202Egpj.exe', '@everyone', '<!channel>', '<@U123>', '**bold**', 'javascript:alert(1)'],
  ...['`', '```', '\\', '# a', '* a', '[a](javascript:a)', 'a\n\nb', '<!1|a>', '|', '>', '__proto__', '{{a}}', '%00'],
]

/**
 * A short text that may contain markup, HTML, control characters and lone surrogates: for every input of a bot or a renderer that
 * comes from other people.
 */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  anyPieces,
  fc.constantFrom(...attackStrings),
)

/** A hostile URL of a link. */
export const hostileHref: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...split(
      '/ /files/1 /a?b=c&d="e" // //evil.example /\\evil.example \\\\evil.example ./a ../a a #a ?a http: http:a',
    ),
    ...split('http://a https://a/%zz%41é HTTPS://A mailto:a@b.c mailto:a?subject="x" javascript:alert(1)'),
    ...split('JaVaScRiPt:alert(1) \u0001javascript:a java\nscript:a java\tscript:a data:text/html,<script> vbscript:a'),
    ...split('file:///etc/passwd blob:a ftp://a /\t/evil.example /\n/evil.example'),
    ' javascript:alert(1)',
  ),
  hostileText,
)
