/** The rules of lint, one entry each: the pattern, the replacement and the sentence that is reported. */
import {
  inBackticks,
  isAboutMarkup,
  type Match,
  replaceAngleUrl,
  replaceLink,
  replaceMarker,
  replaceNumber,
  replacePair,
  replaceSlackReference,
  replaceTag,
  withDelimiters,
} from './replacements.js'

/** The id of a rule of `lint`. */
export type RuleId =
  | ('heading-depth' | 'heading-space' | 'thematic-break')
  | ('bullet' | 'ordered-list' | 'quote' | 'table')
  | ('strikethrough' | 'double-underscore' | 'html' | 'image' | 'angle-url')
  | ('mention-id' | 'slack-reference' | 'link-target' | 'link-scheme' | 'link-text' | 'www-url')
  | ('file-alone' | 'pair' | 'unclosed-marker' | 'fence-alone' | 'unclosed-fence')
  | ('bidirectional' | 'invisible' | 'limit')

export interface Rule {
  /**
   * Finds candidates in the plain text of a message, in which markup is hidden (`text.ts`). The group `at`, if present, is
   * the range to report. No pattern reads a character more than a few times, whatever the input. A rule without a pattern
   * is checked on runs of lines (`bullets.ts`), on the tree (`text.ts`) or on the limits (`lint.ts`).
   */
  readonly pattern?: RegExp
  /** True if the pattern is run on the whole source, code included. */
  readonly isEverywhere?: true
  /** Returns the replacement, '' if the rule suggests none, or null if nothing is wrong. */
  readonly replace?: (match: Match) => string | null
  /** True if the replacement is text. Any other replacement must become a node. */
  readonly isText?: true
  /** True if `fix` may apply the replacement: it is certainly what the author meant. */
  readonly isCertain?: true
  /** Returns the sentence that is reported for the found source text. */
  readonly reason: (found: string) => string
  /** The text of the rule's section in the chapter about lint. */
  readonly note: string
}

/** Matches a character of a script in which U+200B may separate words, for example Thai. */
const scriptWithoutSpaces = String.raw`[\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Thai}\p{scx=Lana}\p{scx=Tale}\p{scx=Java}]`

export const rules: Readonly<Record<RuleId, Rule>> = {
  'heading-depth': {
    pattern: /#{3,6}(?<=^[ \t]*#{3,6})(?=[ \t]+\S)/gm,
    replace: () => '##',
    isText: true,
    isCertain: true,
    reason: (found) => `${inBackticks(found)} does not start a heading here: use \`#\` or \`##\`.`,
    note: 'A heading has one or two `#` (§2.3). In CommonMark it may have up to six.',
  },
  'heading-space': {
    // The pattern does not match ##general, ##C++, ##PR or several tags.
    pattern:
      /#{2,6}(?<=(?:^|[\r\n])[ \t]*#{2,6})(?<!\S[ \t]*(?:\r\n?|\n)[ \t]*#+)(?=\p{Lu}\p{Ll}[^#\r\n]{0,60}(?:[\r\n]|$))/dgu,
    replace: () => '## ',
    isText: true,
    reason: (found) => `${inBackticks(found)} does not start a heading: add a space after it.`,
    note: 'A space separates the `#` of a heading from its text (§2.3). `##Title` is reported at the beginning of a paragraph; `#Title` is a tag.',
  },
  'thematic-break': {
    pattern: /(?:---|\*\*\*|___)(?<=^[ \t]*...)(?=[ \t]*$)/gm,
    reason: (found) => `${inBackticks(found)} does not draw a line here: it is shown as typed.`,
    note: 'There are no thematic breaks (§2.2). Three dashes, stars or underscores are shown as typed.',
  },
  bullet: {
    isText: true,
    isCertain: true,
    reason: (found) => `${inBackticks(found)} does not start a list item here: use \`*\` and a space.`,
    note: 'A list item starts with `* ` (§2.4). In CommonMark `- ` and `+ ` start one, too. Two consecutive lines are taken for a list, and so is a line after a colon. A single line is taken for a list only if it is a few words at the beginning of a paragraph. Otherwise it may be a signature, a remark or YAML. Lines with `-` next to lines with `+` are a diff, sentences with `?` or `!` after dashes are a dialogue, and a sequence of dashes is a thematic break. No replacement is offered before a number or a `key:`, or if the message has lists with `+` and lists with `-`: the signs may mean something.',
  },
  'ordered-list': {
    // The pattern does not match moves of chess: 1. e4 e5 2. Nf3
    pattern: /1[.)](?<=^[ \t]*..)(?=[ \t]+\S)(?!.*[ \t]2[.)][ \t])/gm,
    replace: replaceNumber,
    reason: (found) => `${inBackticks(found)} does not start a numbered list here: the line is shown as typed.`,
    note: 'There are no numbered lists (§2.2). The lines are shown as typed, with their numbers, so nothing is lost. A single line with a number is not reported.',
  },
  quote: {
    // The pattern does not match a comparison: > 90% of them
    pattern: />(?<=^[ \t]*.)(?=[ \t]+[^\s\d])(?<!^[ \t]*>.*(?:\r\n?|\n)[ \t]*>)/gm,
    reason: (found) => `${inBackticks(found)} does not start a quote here: it is shown as typed.`,
    note: 'There are no block quotes (§2.2). The `>` is shown as typed.',
  },
  table: {
    pattern: /^(?<=\|.*(?:\r\n?|\n))[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/gm,
    reason: () => 'Tables are not supported here: put the rows into fenced code to keep the columns.',
    note: 'There are no tables (§2.2). Fenced code keeps the columns.',
  },
  strikethrough: {
    pattern: /~~(?<![~\\]..)(?![~\s])([^~\r\n]*[^~\s])~~(?!~)/dg,
    replace: (match) => (isAboutMarkup(match) ? '' : withDelimiters('delete', match.parts[1] ?? '')),
    isCertain: true,
    reason: () => '`~~` does not strike text through here: write `-x-`.',
    note: '`~~x~~` of GFM is `-x-` here (§4). If a dash could not open or close there, or the sentence is about markup, no replacement is offered.',
  },
  'double-underscore': {
    pattern: /__(?<![\p{L}\p{N}_]..)(?![_\s])([^_\r\n]*[^_\s])__(?![\p{L}\p{N}_])/dgu,
    // __init__ and __(really)__ are names, so they are not reported.
    replace: (match) => {
      const [, text = ''] = match.parts
      if (/^\(?(?:[a-z]\w+|[A-Z][A-Z\d_]+)\)?$|^[^\p{L}\p{N}]*$/u.test(text)) return null
      return isAboutMarkup(match) ? '' : withDelimiters('strong', text)
    },
    isCertain: true,
    reason: () => '`__` does not make text bold here: write `**x**`.',
    note: '`__x__` of CommonMark is `**x**` here (§4.1). An identifier between underscores is not reported.',
  },
  html: {
    pattern:
      /<(?:(b|strong)|(i|em)|(u|ins)|(s|del|strike)|(code)|a href=["']([^"'<>\s]*)["'])>([^<\r\n]*)<\/[a-z]+>|<br ?\/?>(?<=\S<[^<]*)|<(?:(?:b|strong|em)|(?:img|a) \w+=[^<>\r\n]*)>(?<![\p{L}\p{N}]<[^<]*)/dgiu,
    replace: (match) => (isAboutMarkup(match) ? '' : replaceTag(match)),
    isCertain: true,
    reason: (found) =>
      `${inBackticks(/^<[^<>]*>/.exec(found)?.[0] ?? '', 'This tag')} has no effect here: tags are shown as typed.`,
    note: 'There is no HTML (§1.1). For tags that format text, the delimiters of the dialect are offered, unless the sentence is about the tag.',
  },
  image: {
    pattern: /!\[[^[\]\r\n]*\]\([^()\r\n]*\)/g,
    reason: () => '`![` does not show an image here: upload it, and put `<!id|>` on a line by itself.',
    note: 'There are no images (§3). Upload the image and show it as a file (§2.5).',
  },
  'angle-url': {
    pattern: /<(?<!\]\(.)((?:\uFDD1|mailto:)[^<>\r\n]*)>/dg,
    replace: replaceAngleUrl,
    isCertain: true,
    reason: () => '`<` and `>` are not part of a link here: write the URL alone, or `[text](url)`.',
    note: 'A URL needs no angle brackets: they would be shown (§3.5). `<url|label>` of Slack is a named link here (§3.4).',
  },
  'mention-id': {
    pattern: /<@(?<![\p{L}\p{N}]..)([\w.-]{1,128})>/dgu,
    replace: ({ parts }) => `<@${parts[1]}|>`,
    reason: (found) => `${inBackticks(found)} is not a mention: add a \`|\` after an id without a digit.`,
    note: 'The id of a mention without a `|` contains a digit (§3.3), so `List<@NonNull>` is not a mention.',
  },
  'slack-reference': {
    pattern: /<([!#])([^<>|\r\n]+)(?:\|([^<>|\r\n]*))?>/dg,
    replace: replaceSlackReference,
    isText: true,
    reason: (found) =>
      `${inBackticks(found)} works only in Slack: it does not notify people or link to a channel here.`,
    note: 'In Slack `<!here|here>` notifies people. Here it is text or, on a line by itself, a file (§2.5). The replacement is the text that Slack would have shown.',
  },
  'link-target': {
    // The pattern does not match a function call: handlers[event](payload.md)
    pattern: /\[(?<![\p{L}\p{N}\])}!].)([^[\]\r\n]*)\]\(([^()\r\n]*)\)/dgu,
    replace: replaceLink,
    isCertain: true,
    reason: () => 'This is not a link: its text is not blank, and its URL has a scheme, no space, no `<` and no title.',
    note: 'The URL of a named link has a scheme and contains no white space. There is no title, no `<…>` form, and the link text is not blank (§3.4).',
  },
  'link-scheme': {
    reason: (found) =>
      `${inBackticks(/\]\(([a-z][a-z\d+.-]*:)/i.exec(found)?.[1] ?? '')} is not shown as a link: only http, https and mailto are.`,
    note: 'Only http, https and mailto links are shown as links (§6.3). All others are shown as their link text.',
  },
  'link-text': {
    reason: () => 'The text of this link is another URL than the one that it leads to.',
    note: 'A link whose text is a URL leads there (§3.4). If it leads to another host or path, readers are misled. A text that begins like the URL is not reported.',
  },
  'www-url': {
    pattern: /(?<![\p{L}\p{N}@/._[\uFDD0-]|\]\(<?)www\.[\w-]+(?:\.[\w-]+)+(?:[/?#][^\s<>"]*)?(?<![?!.,:;'"*_)\]-])/dgiu,
    replace: ({ parts: [url] }) => `https://${url}`,
    reason: (found) => `${inBackticks(found, 'This URL')} is not a link here: write \`https://\` before it.`,
    note: 'A bare link begins with `http://` or `https://` (§3.5). GFM also links `www.`.',
  },
  'file-alone': {
    // The pattern does not match a reference of Slack, which `slack-reference` reports.
    pattern: /<!(?!(?:here|channel|everyone)\||(?:subteam|date)\^)[^<>|\s]+\|[^<>|\r\n]*>/g,
    reason: (found) => `${inBackticks(found)} does not show a file here: put it on a line by itself.`,
    note: 'A file is shown if it is alone on its line (§2.5). Next to other text it is text.',
  },
  pair: {
    pattern: /([_-])(?<![\p{L}\p{N}_\\-]\1)(?=\p{L})((?:(?!\1)[^\r\n])*[\p{L}\p{N}.!?…)])\1(?![\p{L}\p{N}_-])/dgu,
    replace: replacePair,
    reason: (found) =>
      `This pair of \`${found.startsWith('-') ? '-' : '_'}\` is shown as typed: add a space before and after it.`,
    note: 'A `_` or `-` opens at the start of a word and closes at its end (§4). A pair next to a sign that keeps it from opening or closing is reported if it encloses words.',
  },
  'unclosed-marker': {
    pattern:
      /(?<at>(?<!\*)\*\*+(?!\*)|\x60)(?<![\p{L}\p{N}*_/\\\x60]\1)(?=[\p{L}\p{N}\uFDD0\uFDD1])(?!kw)(?<=^(.*)\1)(.*)/dgmu,
    replace: replaceMarker,
    reason: (found) =>
      `This ${found.startsWith('`') ? 'backtick' : inBackticks(found, 'delimiter')} is text: it has no closing partner.`,
    note: 'A delimiter without a partner is text (§4.8, §3.2). It is reported at the start of a line, before nothing but words, if white space keeps its partner from closing, and if other delimiters on its line have partners.',
  },
  'fence-alone': {
    pattern: /(?<!`)(?<=\S[ \t]{0,3})`{3,}(?=[\w+#.-]*[ \t]*[\r\n])/g,
    reason: () => 'This fence does not open code: start a line with it.',
    note: 'An opening fence is at the start of its line (§2.6). After other text it is text, or inline code over several lines.',
  },
  'unclosed-fence': {
    reason: () => 'This fence is not closed: everything after it is code.',
    note: 'Without a closing fence everything that follows is code (§2.6).',
  },
  bidirectional: {
    // The pattern does not match U+200E, U+200F and U+061C, which texts of both directions need.
    pattern: /[\u202A-\u202E\u2066-\u2069]+/g,
    isEverywhere: true,
    replace: () => '',
    reason: (found) => `${codeOf(found)} changes the order in which the text around it is shown.`,
    note: 'Embeddings, overrides and isolates that are not closed show text in another order than it is read, in code too, so people do not see the text that is there. The marks that texts of both directions need are not reported, nor are isolates that are closed on their line.',
  },
  invisible: {
    // The pattern does not match joiners, variation selectors and tags, which scripts and emoji need.
    pattern: new RegExp(
      String.raw`(?:[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F\xAD\u115F\u1160\u180E\u2060-\u2062\u2064\u3164\uFEFF\uFFA0\p{Cs}]|(?<!${scriptWithoutSpaces})\u200B(?!${scriptWithoutSpaces}))+`,
      'gu',
    ),
    isEverywhere: true,
    replace: () => '',
    reason: (found) => `${codeOf(found)} is invisible.`,
    note: 'Control characters and characters without a glyph are reported everywhere. Joiners, variation selectors, tags, and U+200B between words of Khmer, Lao, Burmese and Thai are not: scripts and emoji need them. U+2063, which forces a delimiter (§3.6), is not reported either.',
  },
  limit: {
    reason: () => '',
    note: 'The service accepts 1 to 100 blocks of 1 to 4,000 characters, and bodies of 1 to 40,000. You can pass other limits: `lint(source, { blockLength: 2000 })`.',
  },
}

/** The ids in the order of their sections in the chapter about lint. The cast is needed because `Object.keys` returns strings. */
export const ruleIds: readonly RuleId[] = /* @__PURE__ */ Object.keys(rules) as RuleId[]

function codeOf(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
