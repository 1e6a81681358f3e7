/** The contenders that show CommonMark while it arrives, each used as in its own documentation, with HTML as the result. */
import type { Block } from '../src/tree.js'
import { textOf, textOfHtml } from './markers.js'
import { load, loadLibrary } from './modules.js'

/** One way to show an answer while it arrives. */
export interface AnswerContender {
  name: string
  /** At every how many chunks it is enough to ask what reads all again. */
  every: number
  /** Begins an answer: takes its chunks, and gives the HTML that is to be put on the page, where that is asked for. */
  begin: () => (chunk: string, isAsked: boolean) => string
  /** The text that shows of an answer that has come so far, or has ended. */
  show: (answer: string, hasEnded: boolean) => string
}

/** The stream, fromMarkdown, and the peers. */
export async function answerContenders(): Promise<readonly AnswerContender[]> {
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

/** Contenders that read all text again after each chunk. */
function again(name: string, every: number, toHtml: (source: string, hasEnded: boolean) => string): AnswerContender {
  return {
    name,
    every,
    begin() {
      let source = ''
      return (chunk, isAsked) => {
        source += chunk
        return isAsked ? toHtml(source, false) : ''
      }
    },
    show: (answer, hasEnded) => textOfHtml(toHtml(answer, hasEnded)),
  }
}

async function own(): Promise<AnswerContender[]> {
  const { toHtml } = await loadLibrary()
  const place = new URL('../../dist/convert/index.js', import.meta.url).href
  const { createMarkdownStream, fromMarkdown } = await load<typeof import('../src/convert/index.js')>(place)
  const htmlOf = (children: Block[]): string => (children.length > 0 ? toHtml({ type: 'root', children }) : '')
  const stream: AnswerContender = {
    name: 'blockmark stream, blocks and tail',
    every: 1,
    begin() {
      const arriving = createMarkdownStream()
      return (chunk) => htmlOf(arriving.push(chunk)) + htmlOf(arriving.tail.children)
    },
    show(answer, hasEnded) {
      const arriving = createMarkdownStream()
      const blocks = arriving.push(answer)
      return textOf([...blocks, ...(hasEnded ? arriving.finish() : arriving.tail.children)])
    },
  }
  const settled: AnswerContender = {
    ...stream,
    show: (answer, hasEnded) => {
      const arriving = createMarkdownStream()
      return textOf([...arriving.push(answer), ...(hasEnded ? arriving.finish() : [])])
    },
    name: 'blockmark stream, blocks only',
    begin() {
      const arriving = createMarkdownStream()
      return (chunk) => htmlOf(arriving.push(chunk))
    },
  }
  const whole = again('blockmark fromMarkdown, all again', 2_500, (source) => toHtml(fromMarkdown(source).tree))
  return [stream, settled, { ...whole, show: (answer) => textOf(fromMarkdown(answer).tree.children) }]
}

interface Processor {
  use: (plugin: object, options?: object) => Processor
  freeze: () => Processor
  processSync: (source: string) => object
}

/** Streamdown below its React components: it repairs the text, cuts it into blocks, and reads the changed ones. */
async function streamdown(): Promise<AnswerContender> {
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
    every: 1_000,
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
    show: (answer, hasEnded) =>
      textOfHtml(
        parseMarkdownIntoBlocks(hasEnded ? answer : remend(answer))
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

async function ox(): Promise<AnswerContender> {
  const { IncrementalMarkdownRenderer } = await load<{
    IncrementalMarkdownRenderer: new (
      options: object,
    ) => { append: (chunk: string, options: object) => Appended; finish: () => Appended }
  }>('@ox-content/napi')
  const options = { renderPending: true, completeInline: true }
  return {
    name: 'ox-content, incremental',
    every: 1,
    begin() {
      const renderer = new IncrementalMarkdownRenderer({ gfm: true })
      return (chunk) => {
        const { deltaHtml, pendingHtml } = renderer.append(chunk, options)
        return deltaHtml + pendingHtml
      }
    },
    show(answer, hasEnded) {
      const renderer = new IncrementalMarkdownRenderer({ gfm: true })
      const { html } = renderer.append(answer, options)
      return textOfHtml(hasEnded ? renderer.finish().html : html)
    },
  }
}
