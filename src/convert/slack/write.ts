/** A message as Slack's mrkdwn. No text of it notifies anybody: what Slack would read as a command is escaped. */
import { normalize, type Source, toText } from '../../index.js'
import { encodeUrl, isSafeUrl } from '../../render/escape.js'
import { treesOf } from '../../source.js'
import { type Block, type Formatting, type Link, type Phrasing, unreachable } from '../../tree.js'
import { splitLines } from '../lines.js'

/**
 * Writes mrkdwn. Headings are bold lines, items lines behind `•`, underline is italic, and mentions are `@` and a name: an
 * id of another service names nobody in Slack. `&`, `<` and `>` are escaped, so that no text can hold a link, a mention or
 * `<!channel>`; mrkdwn has no escape for marks, and an invisible U+200B keeps those from formatting that are text.
 *
 * @param source - markdown of the dialect, a tree, or a post's blocks
 * @returns the mrkdwn, for the `text` of a message or of a section
 * @throws {TypeError} when the source is none
 * @example
 * toSlack('# Done\n**Build** (<@7|Ann>): [log](https://example.com/?a=1&b=2) <!channel> a<b')
 * // => '*Done*\n\n*Build* (@Ann): <https://example.com/?a=1&amp;b=2|log> &lt;!channel&gt; a&lt;b'
 */
export function toSlack(source: Source): string {
  // In its normal form no tree is deep.
  return treesOf(source)
    .flatMap((tree) => normalize(tree).tree.children.map(writeBlock))
    .join('\n\n')
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'heading':
      return writeLines([{ type: 'strong', children: block.children }])
    case 'paragraph':
      return writeLines(block.children)
    case 'list':
      return block.children.map((item) => `• ${writeLines(item.children[0].children)}`).join('\n')
    case 'code':
      return `\`\`\`\n${escapeControls(block.value).replaceAll('```', `\`\`${GAP}\``)}\n\`\`\``
    case 'file':
      return escapeText(`[file: ${block.label ?? block.fileID}]`)
    default:
      return unreachable(block)
  }
}

/** Nobody sees it, and to Slack it is white space. */
const GAP = '\u200B'

const marks: Readonly<Record<Formatting['type'], string>> = { strong: '*', emphasis: '_', underline: '_', delete: '~' }

/** Slack's formatting ends with its line. */
function writeLines(nodes: readonly Phrasing[]): string {
  return splitLines(nodes)
    .map((line) => {
      const writer = new LineWriter(line)
      writer.nodes(line)
      return writer.written
    })
    .join('\n')
}

class LineWriter {
  written = ''
  /** The marks that could find a partner in this line. */
  private readonly risky: ReadonlySet<string>
  private readonly open = new Set<string>()
  /** Whether a mark has just ended something. */
  private isClosed = false

  constructor(line: readonly Phrasing[]) {
    const text = toText({ type: 'root', children: [{ type: 'paragraph', children: [...line] }] })
    const used = marksIn(line)
    this.risky = new Set(['*', '_', '~'].filter((mark) => used.has(mark) || text.split(mark).length > 2))
  }

  nodes(nodes: readonly Phrasing[]): void {
    for (const node of nodes) this.node(node)
  }

  private node(node: Phrasing): void {
    switch (node.type) {
      case 'text':
        this.text(node.value)
        break
      case 'inlineCode':
        // There is no way to write a backtick in code.
        if (node.value.includes('`')) this.text(node.value)
        else this.marked(() => this.add(escapeControls(node.value)), '`')
        break
      case 'mention':
        this.text(`@${node.label ?? node.userID}`)
        break
      case 'link':
        this.link(node)
        break
      case 'break':
        break
      default:
        this.marked(() => this.nodes(node.children), marks[node.type])
    }
  }

  /** A mark counts only where no letter or digit stands outside of it. */
  private marked(inside: () => void, mark: string): void {
    if (this.open.has(mark)) inside()
    else {
      this.add(mark)
      this.open.add(mark)
      inside()
      this.open.delete(mark)
      this.written += mark
      this.isClosed = true
    }
  }

  private add(written: string): void {
    const isMark = /^[*_~`]$/.test(written)
    const needsGap = isMark ? /[\p{L}\p{N}]$/u.test(this.written) : this.isClosed && /^[\p{L}\p{N}]/u.test(written)
    this.written += needsGap ? GAP + written : written
    this.isClosed = false
  }

  private link({ url, children }: Link): void {
    const label = toText({ type: 'root', children: [{ type: 'paragraph', children: [...children] }] })
    const target = escapeControls(encodeUrl(url))
    if (!isSafeUrl(url)) this.text(label === url ? url : `${label} (${url})`)
    else this.add(label === url ? `<${target}>` : `<${target}|${escapeText(label)}>`)
  }

  private text(value: string): void {
    const text = escapeText(value).replaceAll('```', `\`\`${GAP}\``)
    this.add(text.replace(/(?<![\p{L}\p{N}])[*_~](?=\S)/gu, (mark) => (this.risky.has(mark) ? mark + GAP : mark)))
  }
}

function marksIn(nodes: readonly Phrasing[]): Set<string> {
  const used = new Set<string>()
  const open = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!('children' in node)) continue
    if (node.type !== 'link') used.add(marks[node.type])
    open.push(...node.children)
  }
  return used
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** With `link_names` Slack reads `@channel` without brackets, too. */
function escapeText(text: string): string {
  return escapeControls(text).replace(/@(?=(?:channel|everyone|group|here)\b)/gi, `@${GAP}`)
}

function escapeControls(text: string): string {
  return text.replace(/[&<>]/g, (character) => references[character] ?? '')
}
