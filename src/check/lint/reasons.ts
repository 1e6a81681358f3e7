/** What each rule says: what is there, and what it is or is not, in one sentence. */
import type { RuleId } from './rule-ids.js'

/** From what stands there to the sentence. */
export const reasons: Readonly<Record<Exclude<RuleId, 'limit'>, (there: string) => string>> = {
  'heading-depth': (there) => `${quoted(there, 'This')} begins no heading here: \`#\` and \`##\` do.`,
  'heading-space': (there) => `${quoted(there, 'This')} begins no heading: a space behind it is missing.`,
  'heading-underline': (there) => `${lineOf(there)} makes no heading of the line above: \`# \` before its text does.`,
  'thematic-break': (there) => `${quoted(there, 'This')} draws no line here: it is shown as typed.`,
  bullet: (there) => `${quoted(there, 'This')} begins no item here: \`*\` and a space do.`,
  'nested-list': () => 'This is an item of the same list: items are not nested here.',
  'ordered-list': (there) =>
    `${quoted(there, 'This')} begins no item here: there are no numbered lists, it is shown as typed.`,
  quote: (there) => `${quoted(there, 'This')} begins no quotation here: it is shown as typed.`,
  table: () => 'This makes no table of the lines around it: there are none, but fenced code keeps columns.',
  strikethrough: () => '`~~` strikes nothing here: it is `-x-`.',
  'double-underscore': () => '`__` makes nothing bold here: it is `**x**`.',
  html: (there) =>
    `${quoted(/^<[^<>]*>/.exec(there)?.[0] ?? '', 'This tag')} does nothing here: tags are shown as typed.`,
  image: () => '`![` shows no image here: upload it, and `<!id|>` alone on a line shows it.',
  'angle-url': () => '`<` and `>` are no part of a link here: it is the url alone, or `[label](url)`.',
  'mention-id': (there) => `${quoted(there, 'This')} mentions nobody: an id without a digit needs a \`|\` behind it.`,
  'slack-reference': (there) => `${quoted(there, 'This')} is for Slack: here it notifies nobody and leads nowhere.`,
  'link-target': linkReason,
  'link-scheme': (there) => {
    const scheme = /\]\(([a-z][a-z\d+.-]*:)/i.exec(there)?.[1] ?? ''
    return `${quoted(scheme, 'This')} is not shown as a link: only http, https and mailto are.`
  },
  'reference-link': (there) => `${quoted(there, 'This')} is no link here: it is \`[label](url)\`.`,
  'file-alone': (there) => `${quoted(there, 'This')} shows no file here: it has to stand alone on its line.`,
  flag: (there) => `${quoted(there, 'This')} begins struck text here: \`\\-\` keeps it a flag.`,
  'unclosed-marker': (there) =>
    `Nothing closes this ${there.startsWith('`') ? 'backtick' : quoted(there, 'marker')}: it is text.`,
  'unclosed-fence': () => 'Nothing closes this fence: all behind it is code.',
  'tilde-fence': (there) => `${quoted(there, 'This')} is no fence here: three backticks are.`,
  bidirectional: (there) => `${codeOf(there)} changes the order in which the text around it is shown.`,
  invisible: (there) => `Nobody can see this ${codeOf(there)}.`,
}

/** What is quoted is ASCII, and little of it, so that a report keeps its columns. */
const QUOTED_LENGTH_MAX = 24

function quoted(text: string, otherwise: string): string {
  return /^[\x20-\x5f\x61-\x7e]+$/.test(text) && text.length <= QUOTED_LENGTH_MAX ? `\`${text}\`` : otherwise
}

function lineOf(there: string): string {
  return there.endsWith('=') ? 'A line of `=`' : 'A line of `-`'
}

function linkReason(there: string): string {
  // A label may hold brackets, escaped or in code; a target holds none.
  const end = there.lastIndexOf('](')
  const [label, target] = [there.slice(1, end), there.slice(end + 2, -1)]
  if (label.trim() === '') return 'This is no link: its label is blank.'
  if (/^\s*<.*>/.test(target)) return 'This is no link: a url stands without `<` and `>` here.'
  if (/\s["'].*["']\s*$/.test(target)) return 'This is no link: there are no titles here.'
  if (!/^[a-z][a-z\d+.-]{0,31}:/i.test(target))
    return `This is no link: ${quoted(target, 'its url')} lacks a scheme such as \`https://\`.`
  return `This is no link: there is ${/\s/.test(target.trim()) ? 'a space' : '`<` or `>`'} in its url.`
}

function codeOf(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
