/**
 * The contenders: this package, built, and others, each with the defaults of the first example in its README. GFM is
 * therefore on in marked, md4w and the three native ones (bare URLs become links) and off in the others.
 */
import { load, loadLibrary } from './modules.js'

/** One way to process a message, or to write one. */
export interface Contender<Output, Input = string> {
  name: string
  /** The imported module: `blockmark`, `before` or a package of `bench/package.json`; absent for the baseline. */
  module: string | null
  run: (input: Input) => Output
}

/** The contenders that are machine code, called through N-API. */
export const nativeNames: readonly string[] = ['md4x', 'ox-content', 'satteri']

/**
 * Loads the contenders that make HTML of a string.
 *
 * @param before - a folder that holds an older build of this package, which then takes part too
 */
export async function htmlContenders(before: string | null): Promise<readonly Contender<string>[]> {
  const { marked } = await load<{ marked: (source: string) => string }>('marked')
  const { default: MarkdownIt } = await load<{ default: new () => { render: (source: string) => string } }>(
    'markdown-it',
  )
  const markdownIt = new MarkdownIt()
  const { micromark } = await load<{ micromark: (source: string) => string }>('micromark')
  const { default: snarkdown } = await load<{ default: (source: string) => string }>('snarkdown')
  const md4w = await load<{ init: () => Promise<void>; mdToHtml: (source: string) => string }>('md4w')
  await md4w.init()
  return [
    ...(await ownHtml('blockmark')),
    ...(before === null ? [] : await ownHtml('before', before)),
    { name: 'marked', module: 'marked', run: (message) => marked(message) },
    { name: 'markdown-it', module: 'markdown-it', run: (message) => markdownIt.render(message) },
    { name: 'commonmark', module: 'commonmark', run: await commonmark() },
    { name: 'micromark', module: 'micromark', run: (message) => micromark(message) },
    { name: 'snarkdown', module: 'snarkdown', run: (message) => snarkdown(message) },
    { name: 'md4w', module: 'md4w', run: (message) => md4w.mdToHtml(message) },
    ...(await nativeHtml()),
    { name: 'mdast + hast', module: 'mdast-util-from-markdown', run: await mdastAndHast() },
    { name: 'remark-rehype', module: 'unified', run: await remarkRehype() },
    { name: 'floor: escape only', module: null, run: escapeOnly },
  ]
}

async function ownHtml(module: string, folder?: string): Promise<readonly Contender<string>[]> {
  const { parse, toHtml } = await loadLibrary(folder)
  return [
    { name: `${module} toHtml(string)`, module, run: (message) => toHtml(message) },
    { name: `${module} toHtml(parse(string))`, module, run: (message) => toHtml(parse(message)) },
  ]
}

async function nativeHtml(): Promise<readonly Contender<string>[]> {
  const { renderToHtml } = await load<{ renderToHtml: (source: string) => string }>('md4x/napi')
  const { parseAndRender } = await load<{ parseAndRender: (source: string, options: object) => { html: string } }>(
    '@ox-content/napi',
  )
  const { markdownToHtml } = await load<{ markdownToHtml: (source: string) => { html: string } }>('satteri')
  return [
    { name: 'md4x', module: 'md4x', run: (message) => renderToHtml(message) },
    { name: 'ox-content', module: '@ox-content/napi', run: (message) => parseAndRender(message, { gfm: true }).html },
    { name: 'satteri', module: 'satteri', run: (message) => markdownToHtml(message).html },
  ]
}

/**
 * Loads the contenders that make a tree of a string.
 *
 * @param before - a folder that holds an older build of this package, which then takes part too
 */
export async function treeContenders(before: string | null): Promise<readonly Contender<object>[]> {
  const { fromMarkdown } = await load<{ fromMarkdown: (source: string) => object }>('mdast-util-from-markdown')
  const messageParser = await load<{ parse: (source: string) => object }>('@rocket.chat/message-parser')
  return [
    await ownTree('blockmark'),
    ...(before === null ? [] : [await ownTree('before', before)]),
    { name: 'mdast-util-from-markdown', module: 'mdast-util-from-markdown', run: (message) => fromMarkdown(message) },
    { name: 'message-parser', module: '@rocket.chat/message-parser', run: (message) => messageParser.parse(message) },
  ]
}

async function ownTree(module: string, folder?: string): Promise<Contender<object>> {
  const { parse } = await loadLibrary(folder)
  return { name: `${module} parse`, module, run: (message) => parse(message) }
}

async function commonmark(): Promise<(message: string) => string> {
  const { HtmlRenderer, Parser } = await load<{
    HtmlRenderer: new () => { render: (tree: object) => string }
    Parser: new () => { parse: (source: string) => object }
  }>('commonmark')
  const parser = new Parser()
  const renderer = new HtmlRenderer()
  return (message) => renderer.render(parser.parse(message))
}

async function mdastAndHast(): Promise<(message: string) => string> {
  const { fromMarkdown } = await load<{ fromMarkdown: (source: string) => object }>('mdast-util-from-markdown')
  const { toHast } = await load<{ toHast: (tree: object) => object }>('mdast-util-to-hast')
  const { toHtml } = await load<{ toHtml: (tree: object) => string }>('hast-util-to-html')
  return (message) => toHtml(toHast(fromMarkdown(message)))
}

interface Processor {
  use: (plugin: object) => Processor
  freeze: () => Processor
  processSync: (source: string) => object
}

async function remarkRehype(): Promise<(message: string) => string> {
  const { unified } = await load<{ unified: () => Processor }>('unified')
  const processor = unified()
  for (const name of ['remark-parse', 'remark-rehype', 'rehype-stringify']) {
    const { default: plugin } = await load<{ default: object }>(name)
    processor.use(plugin)
  }
  processor.freeze()
  return (message) => String(processor.processSync(message))
}

/** Escapes the characters of HTML in one paragraph. This is the baseline: the least that a renderer can do. */
function escapeOnly(message: string): string {
  const needsEscape = message.includes('<') || message.includes('&')
  return `<p>${needsEscape ? message.replace(/[<&]/g, (found) => (found === '<' ? '&lt;' : '&amp;')) : message}</p>`
}
