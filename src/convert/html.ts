/** Reads tags of HTML in Markdown, and finds the dialect's counterpart of each element. */
import type { Formatting } from '../tree.js'
import { type MarkdownParser, textIn } from './conversion.js'

/** The counterpart of an element: formatting, code, a link, superscript, subscript, or only its content. */
type Counterpart = Formatting['type'] | 'code' | 'link' | 'sub' | 'sup' | 'arranging'

/** Elements that begin a new line. */
const blocks: ReadonlySet<string> = new Set(
  (
    'article aside center details div dl dt dd figcaption figure footer header main nav p section summary blockquote ' +
    'h1 h2 h3 h4 h5 h6 ul ol li pre table caption colgroup thead tbody tfoot tr td th'
  ).split(' '),
)

/** The names of the elements with each counterpart. */
const namesByCounterpart: Readonly<Record<Counterpart, string>> = {
  strong: 'b strong',
  emphasis: 'i em cite dfn var',
  underline: 'u ins',
  delete: 's del strike',
  code: 'code kbd samp tt',
  link: 'a',
  sub: 'sub',
  sup: 'sup',
  arranging: `abbr big font mark nobr picture small source span time wbr col ${[...blocks].join(' ')}`,
}

/** The counterpart of each element, by name. */
const counterparts: ReadonlyMap<string, Counterpart> = new Map(
  (Object.keys(namesByCounterpart) as Counterpart[]).flatMap((counterpart) =>
    namesByCounterpart[counterpart].split(' ').map((name) => [name, counterpart] as const),
  ),
)

/** One tag. */
export interface Tag {
  readonly name: string
  readonly isEnd: boolean
  /** The counterpart; null if the name is not known here. */
  readonly element: Counterpart | null
  readonly isBlock: boolean
  /** The text after the name. */
  readonly attributes: string
}

const TAG = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:[\s/][\s\S]*)?)>$/

/** Parses a tag. Returns null if the HTML is not exactly one tag. */
export function readTag(html: string): Tag | null {
  const [, slash, typedName = '', attributes = ''] = TAG.exec(html) ?? []
  if (slash === undefined) return null
  const name = typedName.toLowerCase()
  return { name, isEnd: slash !== '', element: counterparts.get(name) ?? null, isBlock: blocks.has(name), attributes }
}

/** Returns the names of the known elements that tags leave open, innermost first. */
export function namesOfOpen(tags: readonly (Tag | null)[]): string[] {
  const open: string[] = []
  for (const tag of tags) {
    if (tag === null || tag.element === null) continue
    if (!tag.isEnd) open.push(tag.name)
    else if (open.includes(tag.name)) open.length = open.lastIndexOf(tag.name)
  }
  return open.reverse()
}

/** Returns the value of an attribute, or an empty string. */
export function attributeOf({ attributes }: Tag, name: string, parse: MarkdownParser | null = null): string {
  const [, inDoubleQuotes, inSingleQuotes, withoutQuotes] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? []
  return decode(inDoubleQuotes ?? inSingleQuotes ?? withoutQuotes ?? '', parse)
}

/**
 * Resolves the character references in a text of HTML.
 *
 * @param parse - the Markdown parser, which knows the names of all character references; if null, the text is returned unchanged
 */
export function decode(text: string, parse: MarkdownParser | null): string {
  const references = text.match(REFERENCE)
  if (parse === null || references === null) return text
  // U+FFFF separates the references, because it is not a character, so no reference stands for it.
  const characters = parse(references.join('\uFFFF')).map(textIn).join('').split('\uFFFF').values()
  return text.replace(REFERENCE, (reference) => characters.next().value ?? reference)
}

const REFERENCE = /&#?[a-z\d]+;/gi

const COMMENT = '<!--[\\s\\S]*?-->|'
/** Fenced code, a comment, a tag with its attributes, or text. A lone `<` is text. */
const PIECE = new RegExp(
  `\\n {0,3}(\`{3,}|~{3,})[^\\n]*\\n(?:[\\s\\S]*?\\n)? {0,3}\\1[\`~]*[ \\t]*(?=\\n|$)|${COMMENT}</?[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>|(?:(?!\\n {0,3}(?:\`{3,}|~{3,}))[^<])+|[<\\n]`,
  'y',
)
const PIECE_WITHOUT_COMMENT = new RegExp(PIECE.source.replace(COMMENT, ''), 'y')

/** Splits HTML into tags, comments and the texts between them. Only a `<!--` before the last `-->` is searched for its end. */
export function piecesOf(html: string): string[] {
  const pieces: string[] = []
  const commentsEnd = html.lastIndexOf('-->')
  for (let at = 0; at < html.length; ) {
    const pattern = at < commentsEnd ? PIECE : PIECE_WITHOUT_COMMENT
    pattern.lastIndex = at
    const [piece = html.slice(at)] = pattern.exec(html) ?? []
    pieces.push(piece)
    at += piece.length
  }
  return pieces
}

/** Whether a piece of HTML is text. A comment without its end is text, too. */
export function isText(piece: string): boolean {
  return !/^<(?:\/?[A-Za-z]|!--[\s\S]*-->$)/.test(piece)
}

/** The characters that have a superscript and a subscript form in Unicode. */
const SHIFTABLE = '0123456789+-=()n'
const shiftedForms: Readonly<Record<'sub' | 'sup', readonly string[]>> = {
  sub: [...'₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ'],
  sup: [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ'],
}

/** Returns a text as superscript or subscript; null if a character lacks that form. */
export function superOrSubscript(text: string, element: 'sub' | 'sup'): string | null {
  if (text === 'TM' && element === 'sup') return '™'
  const characters = [...text].map((character) => shiftedForms[element][SHIFTABLE.indexOf(character)])
  return characters.includes(undefined) ? null : characters.join('')
}
