/** unified plugins: the dialect as the syntax of a processor (§5), and CommonMark on its way into it. */
import type { Root } from 'mdast'
import type { Plugin } from 'unified'
import { dialectEmphasis } from '../convert/emphasis.js'
import { fromMdast } from '../convert/from-mdast.js'
import '../convert/mdast.js'
import type { MarkdownOptions } from '../convert/options.js'
import { parse, stringify, type Root as Tree } from '../index.js'
import { describeForHast } from './hast-data.js'

export type { MarkdownOptions } from '../convert/options.js'

/**
 * Parses the dialect: the first plugin of a chain, in the place of remark-parse.
 *
 * Every node says in its `data` how remark-rehype is to show it, so that no handlers are needed.
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
 * Makes any mdast tree one of the dialect: what remark-parse, remark-gfm or another plugin put there that the dialect has
 * no construct for is degraded in the way that loses least, and each loss is a message of the file. Behind remark-parse,
 * emphasis also closes where the dialect sees that it does, as in `fromMarkdown` (`emphasis: 'commonmark'` for the letter).
 *
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
export const remarkBlockmark: Plugin<[MarkdownOptions?], Root, Root> = function (options = {}) {
  if (options.emphasis !== 'commonmark') {
    // Where remark-parse looks for extensions: it declares the field, where it is installed.
    const data = this.data() as { micromarkExtensions?: unknown[] }
    data.micromarkExtensions = [...(data.micromarkExtensions ?? []), dialectEmphasis()]
  }
  return (tree, file) => {
    const converted = fromMdast(tree, options)
    for (const { reason, ruleId, source, place } of converted.messages) file.message(reason, { ruleId, source, place })
    const root: Root = converted.tree
    describeForHast(root)
    return root
  }
}

/**
 * Writes the dialect: the last plugin of a chain, in the place of remark-stringify. A tree with nodes that the dialect
 * does not know wants `remarkBlockmark` before it.
 *
 * @throws {BlockmarkError} `tree/child` or `tree/field` for a tree that is none of §5
 * @example
 * import { blockmarkParse, blockmarkStringify } from 'blockmark/unified'
 * import { unified } from 'unified'
 *
 * String(unified().use(blockmarkParse).use(blockmarkStringify).processSync('# _a_')) // => '# _a_\n'
 */
export const blockmarkStringify: Plugin<[], Root, string> = function () {
  // A line ending at the end of a file, as every compiler of unified's leaves one. What is no tree of ours is refused.
  this.compiler = (tree) => {
    const source = stringify(tree as Tree)
    return source === '' ? '' : `${source}\n`
  }
}
