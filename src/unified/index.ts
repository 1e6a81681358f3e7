/** unified plugins: the dialect as the syntax of a processor (§5). */
import type { Root } from 'mdast'
import type { Plugin } from 'unified'
import { parse } from '../index.js'
import { describeForHast } from './hast-data.js'
import './mdast.js'

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
