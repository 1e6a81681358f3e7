/** The contenders that show CommonMark while it arrives, each used as in its own documentation, with HTML as the result. */
import type { Block } from '../src/tree.js'
import { textOf, textOfHtml } from './markers.js'
import { load, loadLibrary } from './modules.js'

/** One way to show a model's output while it arrives. */
export interface StreamContender {
  name: string
  /** The number of chunks for each measured one: 1, or more if a contender parses all text again for each chunk. */
  interval: number
  /** Begins an output. The returned function accepts a chunk, and returns the HTML of the page if `isAsked`. */
  begin: () => (chunk: string, isAsked: boolean) => string
  /** Returns the visible text of an output that is still arriving, or has ended. */
  show: (output: string, hasEnded: boolean) => string
}

/** Loads this package's stream and `fromMarkdown`, and the other contenders. */
export async function streamContenders(): Promise<readonly StreamContender[]> {
  const { marked } = await load<{ marked: (source: string) => string }>('marked')
  const { default: remend } = await load<{ default: (source: string) => string }>('remend')
  const { markdownLookBack } = await load<{
    markdownLookBack: () => (given: object) => { output: string }
  }>('@llm-ui/markdown')
  const lookBack = markdownLookBack()
  const looked = (output: string, isStreamFinished: boolean): string =>
    lookBack({ output, visibleTextLengthTarget: output.length, isStreamFinished }).output
  return [
    ...(await own()),
    again('marked, all again', 250, (source) => marked(source)),
    again('remend + marked, all again', 250, (source, hasEnded) => marked(hasEnded ? source : remend(source))),
    again('llm-ui + marked, all again', 6_250, (source, hasEnded) => marked(looked(source, hasEnded))),
    await streamdown(),
    await ox(),
  ]
}

/** Returns a contender that parses all text again after each chunk. */
function again(name: string, interval: number, toHtml: (source: string, hasEnded: boolean) => string): StreamContender {
  return {
    name,
    interval,
    begin() {
      let source = ''
      return (chunk, isAsked) => {
        source += chunk
        return isAsked ? toHtml(source, false) : ''
      }
    },
    show: (output, hasEnded) => textOfHtml(toHtml(output, hasEnded)),
  }
}

async function own(): Promise<StreamContender[]> {
  const { toHtml } = await loadLibrary()
  const place = new URL('../../dist/convert/index.js', import.meta.url).href
  const { createMarkdownStream, fromMarkdown } = await load<typeof import('../src/convert/index.js')>(place)
  const htmlOf = (children: Block[]): string => (children.length > 0 ? toHtml({ type: 'root', children }) : '')
  const stream: StreamContender = {
    name: 'blockmark stream, blocks and tail',
    interval: 1,
    begin() {
      const arriving = createMarkdownStream()
      return (chunk) => htmlOf(arriving.push(chunk)) + htmlOf(arriving.tail.children)
    },
    show(output, hasEnded) {
      const arriving = createMarkdownStream()
      const blocks = arriving.push(output)
      return textOf([...blocks, ...(hasEnded ? arriving.finish() : arriving.tail.children)])
    },
  }
  const blocksOnly: StreamContender = {
    ...stream,
    show: (output, hasEnded) => {
      const arriving = createMarkdownStream()
      return textOf([...arriving.push(output), ...(hasEnded ? arriving.finish() : [])])
    },
    name: 'blockmark stream, blocks only',
    begin() {
      const arriving = createMarkdownStream()
      return (chunk) => htmlOf(arriving.push(chunk))
    },
  }
  const reparsing = again('blockmark fromMarkdown, all again', 2_500, (source) => toHtml(fromMarkdown(source).tree))
  return [stream, blocksOnly, { ...reparsing, show: (output) => textOf(fromMarkdown(output).tree.children) }]
}

interface Processor {
  use: (plugin: object, options?: object) => Processor
  freeze: () => Processor
  processSync: (source: string) => object
}

/** Loads Streamdown without its React components: it repairs the text, splits it into blocks, and parses the changed blocks. */
async function streamdown(): Promise<StreamContender> {
  const { default: remend } = await load<{ default: (source: string) => string }>('remend')
  const { parseMarkdownIntoBlocks } = await load<{ parseMarkdownIntoBlocks: (source: string) => string[] }>(
    'streamdown',
  )
  const { unified } = await load<{ unified: () => Processor }>('unified')
  const processor = unified()
  for (const [name, options] of [
    ['remark-parse'],
    ['remark-gfm'],
    ['remark-rehype', { allowDangerousHtml: true }],
    ['rehype-raw'],
    ['rehype-sanitize'],
    ['rehype-stringify'],
  ] as const)
    processor.use((await load<{ default: object }>(name)).default, options)
  processor.freeze()
  const toHtml = (block: string): string => String(processor.processSync(block))
  return {
    name: 'streamdown’s path',
    interval: 1_000,
    begin() {
      let [source, known]: [string, readonly string[]] = ['', []]
      return (chunk, isAsked) => {
        source += chunk
        if (!isAsked) return ''
        const blocks = parseMarkdownIntoBlocks(remend(source))
        const changed = blocks.filter((block, index) => block !== known[index])
        known = blocks
        return changed.map(toHtml).join('')
      }
    },
    show: (output, hasEnded) =>
      textOfHtml(
        parseMarkdownIntoBlocks(hasEnded ? output : remend(output))
          .map(toHtml)
          .join('\n'),
      ),
  }
}

interface Appended {
  readonly deltaHtml: string
  readonly pendingHtml: string
  readonly html: string
}

async function ox(): Promise<StreamContender> {
  const { IncrementalMarkdownRenderer } = await load<{
    IncrementalMarkdownRenderer: new (
      options: object,
    ) => { append: (chunk: string, options: object) => Appended; finish: () => Appended }
  }>('@ox-content/napi')
  const options = { renderPending: true, completeInline: true }
  return {
    name: 'ox-content, incremental',
    interval: 1,
    begin() {
      const renderer = new IncrementalMarkdownRenderer({ gfm: true })
      return (chunk) => {
        const { deltaHtml, pendingHtml } = renderer.append(chunk, options)
        return deltaHtml + pendingHtml
      }
    },
    show(output, hasEnded) {
      const renderer = new IncrementalMarkdownRenderer({ gfm: true })
      const { html } = renderer.append(output, options)
      return textOfHtml(hasEnded ? renderer.finish().html : html)
    },
  }
}
