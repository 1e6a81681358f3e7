/** The package comes without types. */
declare module 'remark-link-rewrite' {
  import type { Root } from 'mdast'
  import type { Plugin } from 'unified'

  const remarkLinkRewrite: Plugin<[{ replacer: (url: string) => string | Promise<string> }], Root>
  export default remarkLinkRewrite
}
