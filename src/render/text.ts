/** Renders a message as plain text (§7), and lists the ids of its users and files. */
import { withoutNull } from '../characters.js'
import { isFormatting } from '../delimiters.js'
import { blocksOf, type Source } from '../source.js'
import { type Block, isBareLink, type List, type Paragraph, type Phrasing, showsUrl, unreachable } from '../tree.js'
import { fileOfParagraph, type RenderOptions, resolveFile, resolveMention, type ShownFile } from './options.js'

/**
 * Renders a message as plain text (§7): formatting is removed, all other content stays readable.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - the callbacks for names and files
 * @returns the text: a blank line separates blocks
 * @throws {TypeError} if `source` is not a string, a tree or an array of both; also throws any error of a callback
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @example
 * toText('* **done**, see [log](https://example.com/log)') // => '• done, see log (https://example.com/log)'
 */
export function toText(source: Source, options?: RenderOptions): string {
  const callbacks = options ?? {}
  return blocksOf(source)
    .map((block) => blockText(block, callbacks))
    .join('\n\n')
}

function blockText(block: Block, options: RenderOptions): string {
  switch (block.type) {
    case 'paragraph':
      return paragraphText(block, options)
    case 'list':
      return listText(block, options)
    case 'code':
      return withoutNull(block.value)
    case 'file':
      return fileText(resolveFile(block.fileID, block.label, options), block.label)
    default:
      return 'children' in block ? phrasingText(block.children, options) : unreachable(block)
  }
}

/** Returns the text of a list. An item without visible content, which `parse` never returns, is omitted. */
function listText({ children }: List, options: RenderOptions): string {
  return children
    .flatMap((item) => {
      const [paragraph] = item.children
      const text = paragraphText(paragraph, options)
      return /^[ \t\r\n]*$/.test(text) && !paragraph.children.some(containsCode) ? [] : [`• ${text}`]
    })
    .join('\n')
}

/** Whether a node is or contains code that is not empty. Such code is visible even if it is white space. */
function containsCode(node: Phrasing): boolean {
  return 'children' in node ? node.children.some(containsCode) : node.type === 'inlineCode' && node.value !== ''
}

function paragraphText(paragraph: Paragraph, options: RenderOptions): string {
  const file = fileOfParagraph(paragraph, options)
  return file === null ? phrasingText(paragraph.children, options) : fileText(file, null)
}

function fileText(file: ShownFile, label: string | null): string {
  return `[file: ${nameText(file, label || file.fileID)}]`
}

export function phrasingText(nodes: readonly Phrasing[], options: RenderOptions): string {
  let text = ''
  for (const node of nodes) text += nodeText(node, options)
  return text
}

function nodeText(node: Phrasing, options: RenderOptions): string {
  switch (node.type) {
    case 'text':
      // In a tree that a program built, text may contain CR, which becomes a line ending like any other.
      return withoutNull(node.value.indexOf('\r') < 0 ? node.value : node.value.replace(/\r\n?/g, '\n'))
    case 'inlineCode':
      return withoutNull(node.value)
    case 'break':
      return '\n'
    case 'mention':
      return `@${nameText(resolveMention(node.userID, node.label, options), node.label || node.userID)}`
    case 'link': {
      const url = withoutNull(node.url)
      if (isBareLink(node)) return url
      const label = phrasingText(node.children, options)
      return showsUrl(label, url) ? label : `${label} (${url})`
    }
    default:
      return isFormatting(node) ? phrasingText(node.children, options) : unreachable(node)
  }
}

/** Returns a name to show. U+0000 is replaced in a name from the tree, as in its text, but not in a callback's name. */
function nameText({ name }: { name: string }, nameInTree: string): string {
  return name === nameInTree ? withoutNull(name) : name
}

/** The users and files that a message shows. */
export interface References {
  userIDs: string[]
  fileIDs: string[]
}

/**
 * Lists the ids that a renderer passes to the callbacks `mention` and `file`. The callbacks are synchronous, so load names and
 * files first, each kind with one query. A query need not find every id.
 *
 * A paragraph that is only a mention without a label may show a file (§6), so its id is in both lists.
 *
 * @param source - text in the dialect, a tree, or a post's blocks; for several messages, pass an array of them
 * @returns the ids of users and of files, each id once, in the order of appearance
 * @throws {TypeError} if `source` is not a string, a tree or an array of both
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @example
 * referencesOf('<@7|Ann> and <@9>: [see <@7>](https://example.com)\n<!42|log.txt>') // => { userIDs: ['7', '9'], fileIDs: ['42'] }
 */
export function referencesOf(source: Source): References {
  const userIDs = new Set<string>()
  const fileIDs = new Set<string>()
  const collect = (ids: Set<string>) => (id: string) => {
    ids.add(id)
    return undefined
  }
  toText(source, { mention: collect(userIDs), file: collect(fileIDs) })
  return { userIDs: [...userIDs], fileIDs: [...fileIDs] }
}
