/** The entry `blockmark/unified`: plugins that parse and write the dialect, and convert from and to CommonMark's mdast. */
import type { Nodes, Root } from 'mdast'
import type { Plugin } from 'unified'
import { fromMdast } from '../convert/blocks.js'
import { htmlReader } from '../convert/html-blocks.js'
import { dialectEmphasis, urlSyntax } from '../convert/markdown/syntax.js'
import '../convert/mdast.js'
import type { WritingOptions } from '../convert/names.js'
import type { MarkdownOptions } from '../convert/options.js'
import { toMdast } from '../convert/to-mdast.js'
import { throwProblems } from '../errors.js'
import { BlockmarkError, parse, stringify, type Root as Tree } from '../index.js'
import { LEVELS_MAX } from '../tree/check.js'
import { describeForHast } from './hast-data.js'

export type { WritingOptions } from '../convert/names.js'

/** Options of {@link remarkBlockmark}. */
export type RemarkBlockmarkOptions = Pick<MarkdownOptions, 'tables' | 'breaks' | 'commonmark'>

/**
 * Parses the dialect: the first plugin of a chain, in place of remark-parse. Each node has the `data` by which remark-rehype
 * shows it, so no handlers are needed.
 *
 * @example
 * import { blockmarkParse } from 'blockmark/unified'
 * import rehypeStringify from 'rehype-stringify'
 * import remarkRehype from 'remark-rehype'
 * import { unified } from 'unified'
 *
 * String(unified().use(blockmarkParse).use(remarkRehype).use(rehypeStringify).processSync('_done_ <@7|Ann>'))
 * // => '<p><u>done</u> <span class="mention" data-user-id="7">@Ann</span></p>'
 */
export const blockmarkParse: Plugin<[], string, Root> = function () {
  this.parser = (document) => {
    const tree: Root = parse(document)
    describeForHast(tree)
    return tree
  }
}

/**
 * Converts any mdast tree to a tree of the dialect. Constructs that the dialect lacks are replaced with as little loss as
 * possible, and each loss becomes a message of the file. After remark-parse, emphasis closes and bare URLs end as in the dialect,
 * like in `fromMarkdown`; `commonmark: true` follows CommonMark to the letter.
 *
 * @throws {BlockmarkError} `tree/depth` if the tree has more than 500 levels
 * @example
 * import { blockmarkStringify, remarkBlockmark } from 'blockmark/unified'
 * import remarkGfm from 'remark-gfm'
 * import remarkParse from 'remark-parse'
 * import { unified } from 'unified'
 *
 * const chain = unified().use(remarkParse).use(remarkGfm).use(remarkBlockmark).use(blockmarkStringify)
 * const file = chain.processSync('### Done\n\n1. ~~this~~')
 * String(file) // => '**Done**\n\n1. -this-\n'
 * file.messages.map(({ ruleId }) => ruleId) // => ['heading-depth', 'ordered-list']
 */
export const remarkBlockmark: Plugin<[RemarkBlockmarkOptions?], Root, Root> = function (options = {}) {
  if (options.commonmark !== true) {
    // remark-parse reads its extensions from this field, which only the types of remark-parse declare.
    const data = this.data() as { micromarkExtensions?: unknown[] }
    data.micromarkExtensions = [...(data.micromarkExtensions ?? []), dialectEmphasis(), urlSyntax()]
  }
  return (tree, file) => {
    checkDepth(tree, [])
    // A chain without a parser gets its tree from another format, for example HTML, so it cannot parse Markdown inside HTML.
    const parse = this.parser === undefined ? null : (markdown: string) => (this.parse(markdown) as Root).children
    const conversion = fromMdast(tree, options, [], htmlReader(parse))
    for (const { reason, ruleId, source, place } of conversion.diagnostics)
      file.message(reason, { ruleId, source, place })
    const root: Root = conversion.tree
    describeForHast(root)
    return root
  }
}

function checkDepth(node: Nodes, path: (string | number)[]): void {
  if (path.length / 2 >= LEVELS_MAX) {
    const [valid, received] = [`at most ${LEVELS_MAX} levels`, `${node.type} on level ${LEVELS_MAX + 1}`]
    throwProblems([{ code: 'tree/depth', path, valid, received }])
  }
  if (!('children' in node)) return
  for (const [index, child] of node.children.entries()) {
    path.push('children', index)
    checkDepth(child, path)
    path.length -= 2
  }
}

/**
 * Converts a tree of the dialect to plain mdast, for plugins and compilers that know only CommonMark and GFM: underline →
 * emphasis; mention → text; file → link or text. remark-stringify then writes struck-out text as GFM's `~~x~~`.
 *
 * @example
 * import { blockmarkParse, blockmarkToRemark } from 'blockmark/unified'
 * import remarkStringify from 'remark-stringify'
 * import { unified } from 'unified'
 *
 * const chain = unified().use(blockmarkParse).use(blockmarkToRemark).use(remarkStringify)
 * String(chain.processSync('_done_ by *Ann*')) // => '*done* by *Ann*\n'
 */
export const blockmarkToRemark: Plugin<[WritingOptions?], Root, Root> = function (options = {}) {
  // remark-stringify reads its extensions from this field, which only the types of remark-stringify declare.
  const data = this.data() as { toMarkdownExtensions?: unknown[] }
  data.toMarkdownExtensions = [...(data.toMarkdownExtensions ?? []), strikethrough]
  // `toMdast` throws if the tree has nodes that are not of the dialect, so the cast does no harm.
  return (tree) => toMdast(tree as Tree, options)
}

/** The part of the state of mdast-util-to-markdown that writing a node with children needs. */
interface WritingState {
  enter(name: 'strikethrough'): () => void
  containerPhrasing(node: unknown, info: object): string
}

/** GFM's strikethrough, for remark-stringify without remark-gfm. */
const strikethrough = {
  unsafe: [{ character: '~', inConstruct: 'phrasing' }],
  handlers: {
    delete: Object.assign(
      (node: unknown, _: unknown, state: WritingState, info: object): string => {
        const exit = state.enter('strikethrough')
        const text = state.containerPhrasing(node, { ...info, before: '~', after: '~' })
        exit()
        return `~~${text}~~`
      },
      { peek: () => '~' },
    ),
  },
}

/**
 * Writes the dialect: the last plugin of a chain, in place of remark-stringify. If a tree has nodes that the dialect lacks,
 * use `remarkBlockmark` before it.
 *
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if the tree is not valid (§5)
 * @example
 * import { blockmarkParse, blockmarkStringify } from 'blockmark/unified'
 * import { unified } from 'unified'
 *
 * String(unified().use(blockmarkParse).use(blockmarkStringify).processSync('# _a_')) // => '# _a_\n'
 */
export const blockmarkStringify: Plugin<[], Root, string> = function () {
  this.compiler = (tree) => {
    const source = write(tree as Tree)
    // Like all compilers of unified, this one ends the file with a line ending.
    return source === '' ? '' : `${source}\n`
  }
}

function write(tree: Tree): string {
  try {
    return stringify(tree)
  } catch (error) {
    if (error instanceof BlockmarkError) error.message += ': use remarkBlockmark before blockmarkStringify'
    throw error
  }
}
