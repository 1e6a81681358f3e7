/** Converts a message to Slack's mrkdwn. Text that Slack would read as a command is escaped. */

import { textOf } from '../../convert/lines.js'
import { typedMarkers } from '../../convert/markers.js'
import { encodeLink, type ProductRules } from '../../convert/names.js'
import { BlockmarkError, type Source } from '../../index.js'
import { isSafeUrl } from '../../render/escape.js'
import { type Marks, writeMarked } from '../marks.js'
import { asText, convert, fenced, type MessengerOptions, type ProductWriter } from '../message.js'

/**
 * Writes mrkdwn: heading → bold line; item → `•` or its number, and the text; underline → italic; quote → `>` and the text;
 * mention → `@` and a name, or a Slack mention if `mention` returns a Slack id. `&`, `<` and `>` are escaped, so no text can
 * contain a link, a mention or `<!channel>`. mrkdwn has no escape for marks: an invisible U+200B keeps those in text from formatting.
 *
 * @param source - the Markdown of the dialect, a tree, or a post's blocks
 * @param options - `length` (default 40,000 UTF-16 units), names and files, and whether quotes stay text (`literal`); the `id`
 * of a mention is Slack's user id
 * @returns the mrkdwn, for the `text` of a message or of a section
 * @throws {BlockmarkError} `body/too-long` if the text is longer than a message: `toBodies` cuts it
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toSlack('# Done\n**Build** (<@7|Ann>): [log](https://example.com/?a=1&b=2) <!channel> a<b')
 * // => '*Done*\n\n*Build* (@Ann): <https://example.com/?a=1&amp;b=2|log> &lt;!channel&gt; a&lt;b'
 */
export function toSlack(source: Source, options: MessengerOptions = {}): string {
  const [text = '', ...others] = convert(source, options, writer)
  if (others.length === 0) return text
  const length = options.length ?? writer.length
  const valid = `a text of ${length} characters at most: cut the source with toBodies and bodyLength: ${Math.ceil(length / 2)}, or half of the one that you used`
  throw new BlockmarkError([{ code: 'body/too-long', path: [], valid, received: 'more' }])
}

/** An invisible character, which Slack reads as white space. */
const GAP = '\u200B'

const marks: Marks = {
  formatting: { strong: '*', emphasis: '_', underline: '_', delete: '~' },
  fenceOf: (value) => (value.includes('`') ? null : '`'),
  gap: GAP,
  reference: (node) => {
    if (node.type === 'mention') return `<@${node.userID}>`
    const [label, target] = [textOf(node.children), escapeControls(encodeLink(node.url))]
    return label === node.url ? `<${target}>` : `<${target}|${escapeText(label)}>`
  },
  escape: (value, isCode) => (isCode ? escapeControls(value) : escapeText(value)),
  lineStart: /^(?=&gt;)/,
}

/** Links that §6 allows, and ids of users: anything else in angle brackets could be another command. */
export const slackRules: ProductRules = {
  isLink: ({ url }) => isSafeUrl(url),
  isID: (id) => /^[UW][A-Z0-9]+$/.test(id),
}

const writer: ProductWriter<string, string, string> = {
  ...slackRules,
  // Slack cuts off the rest of a longer text.
  length: 40_000,
  inline: (nodes) => writeMarked(nodes, marks),
  lines: (lines) => lines.map((line) => escapeControls(typedMarkers(line)) + (line.content ?? '')).join('\n'),
  code: (value) => fenced(escapeControls(value), GAP),
  sizeOf: asText.sizeOf,
  join: (texts) => texts.join('\n\n'),
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text. `@channel` gets a gap, because with `link_names` Slack reads it even without brackets. */
function escapeText(text: string): string {
  return escapeControls(text).replace(/@(?=(?:channel|everyone|group|here)\b)/gi, `@${GAP}`)
}

function escapeControls(text: string): string {
  return text.replace(/[&<>]/g, (character) => references[character] ?? '')
}
