/** A message as Slack's mrkdwn. Everything in text that Slack would read as a command is escaped. */
import { normalize, type Source } from '../../index.js'
import { encodeUrl, isSafeUrl } from '../../render/escape.js'
import { treesOf } from '../../source.js'
import { type Block, type Formatting, type Link, type Phrasing, unreachable } from '../../tree.js'
import { splitLines, textOf } from '../lines.js'
import { leafOf, type NameOptions, type ProductRules } from '../names.js'

/**
 * Writes mrkdwn. A heading is a bold line, an item a line after `•`, an underline italic. A mention is `@` and a name, unless
 * `mention` returns a Slack id. `&`, `<` and `>` are escaped, so no text can contain a link, a mention or `<!channel>`. mrkdwn
 * has no escape for marks: an invisible U+200B keeps those in text from formatting.
 *
 * @param source - the Markdown of the dialect, a tree, or a post's blocks
 * @param options - names of users and files; the `id` of a mention is Slack's user id
 * @returns the mrkdwn, for the `text` of a message or of a section
 * @throws {TypeError} if the source is not valid
 * @example
 * toSlack('# Done\n**Build** (<@7|Ann>): [log](https://example.com/?a=1&b=2) <!channel> a<b')
 * // => '*Done*\n\n*Build* (@Ann): <https://example.com/?a=1&amp;b=2|log> &lt;!channel&gt; a&lt;b'
 */
export function toSlack(source: Source, options: NameOptions = {}): string {
  return treesOf(source)
    .flatMap((tree) => normalize(tree).tree.children.map((block) => writeBlock(block, options)))
    .join('\n\n')
}

function writeBlock(block: Block, options: NameOptions): string {
  switch (block.type) {
    case 'heading':
      return writeLines([{ type: 'strong', children: leafOf(block, options, slackRules) }])
    case 'paragraph':
    case 'file':
      return writeLines(leafOf(block, options, slackRules))
    case 'list':
      return block.children.map((item) => `• ${writeLines(leafOf(item.children[0], options, slackRules))}`).join('\n')
    case 'code':
      return `\`\`\`\n${escapeControls(block.value).replaceAll('```', `\`\`${GAP}\``)}\n\`\`\``
    default:
      return unreachable(block)
  }
}

/** Invisible; to Slack it is white space. */
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
  /** Whether the text ends with a closing mark. */
  private isClosed = false

  constructor(line: readonly Phrasing[]) {
    const text = textOf(line)
    const used = new Set(marksIn(line))
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
        // Code cannot contain a backtick.
        if (node.value.includes('`')) this.text(node.value)
        else this.marked(() => this.add(escapeControls(node.value)), '`')
        break
      case 'mention':
        this.add(`<@${node.userID}>`)
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

  /** A mark counts only if no letter or digit is next to its outer side. */
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
    const label = textOf(children)
    const target = escapeControls(encodeUrl(url))
    this.add(label === url ? `<${target}>` : `<${target}|${escapeText(label)}>`)
  }

  private text(value: string): void {
    const text = escapeText(value).replaceAll('```', `\`\`${GAP}\``)
    this.add(text.replace(/(?<![\p{L}\p{N}])[*_~](?=\S)/gu, (mark) => (this.risky.has(mark) ? mark + GAP : mark)))
  }
}

function marksIn(nodes: readonly Phrasing[]): string[] {
  return nodes.flatMap((node) => {
    if (!('children' in node)) return []
    return node.type === 'link' ? marksIn(node.children) : [marks[node.type], ...marksIn(node.children)]
  })
}

/** Links that §6 allows, and ids of users: anything else in angle brackets could be another command. */
export const slackRules: ProductRules = {
  isLink: ({ url }) => isSafeUrl(url),
  isID: (id) => /^[UW][A-Z0-9]+$/.test(id),
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** With `link_names`, Slack reads `@channel` without brackets, too. */
function escapeText(text: string): string {
  return escapeControls(text).replace(/@(?=(?:channel|everyone|group|here)\b)/gi, `@${GAP}`)
}

function escapeControls(text: string): string {
  return text.replace(/[&<>]/g, (character) => references[character] ?? '')
}
