/**
 * Who takes part: this package, built, and its peers, each with the defaults of its own README's first example. GFM is
 * therefore on in marked and md4w (bare urls become links) and off in the others.
 */
import { readFileSync } from 'node:fs'

import type { Root } from '../src/tree.js'

type Library = typeof import('../src/index.js')

/** One way to make something of a message, or of what it is to say. */
export interface Contender<Output, Input = string> {
  name: string
  /** What is imported, `blockmark` or a package of `bench/package.json`; none for the floor. */
  module: string | null
  run: (input: Input) => Output
}

/** What a bot says of a failed build. */
export interface Report {
  build: number
  repository: string
  userID: string
  url: string
  steps: readonly { name: string; error: string }[]
}

/** The built library, by its place beside the compiled benchmark's folder. */
export const libraryUrl: URL = new URL('../../dist/index.js', import.meta.url)

/** Loads the contenders that make HTML of a string. */
export async function htmlContenders(): Promise<readonly Contender<string>[]> {
  const { parse, toHtml } = await loadLibrary()
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
    { name: 'blockmark toHtml(string)', module: 'blockmark', run: (message) => toHtml(message) },
    { name: 'blockmark toHtml(parse(string))', module: 'blockmark', run: (message) => toHtml(parse(message)) },
    { name: 'marked', module: 'marked', run: (message) => marked(message) },
    { name: 'markdown-it', module: 'markdown-it', run: (message) => markdownIt.render(message) },
    { name: 'commonmark', module: 'commonmark', run: await commonmark() },
    { name: 'micromark', module: 'micromark', run: (message) => micromark(message) },
    { name: 'snarkdown', module: 'snarkdown', run: (message) => snarkdown(message) },
    { name: 'md4w', module: 'md4w', run: (message) => md4w.mdToHtml(message) },
    { name: 'mdast + hast', module: 'mdast-util-from-markdown', run: await mdastAndHast() },
    { name: 'remark-rehype', module: 'unified', run: await remarkRehype() },
    { name: 'floor: escape only', module: null, run: escapeOnly },
  ]
}

/** One way to show an answer while it arrives. */
export interface StreamContender {
  name: string
  /** At every how many chunks it is enough to ask. */
  every: number
  /** Shows all chunks, and says how many characters of HTML it made in all. */
  show: (chunks: readonly string[], every: number) => number
}

/** Loads what shows an answer while it arrives. */
export async function streamContenders(): Promise<readonly StreamContender[]> {
  const { createStream, toHtml } = await loadLibrary()
  const { marked } = await load<{ marked: (source: string) => string }>('marked')
  const { default: remend } = await load<{ default: (source: string) => string }>('remend')
  const again = (read: (source: string) => string) => (chunks: readonly string[], every: number) => {
    let [made, source] = [0, '']
    for (const [index, chunk] of chunks.entries()) {
      source += chunk
      if (index % every === 0) made += read(source).length
    }
    return made
  }
  const settledAndTail = (chunks: readonly string[]) => {
    const arriving = createStream()
    let made = 0
    for (const chunk of chunks) {
      const children = arriving.push(chunk)
      if (children.length > 0) made += toHtml({ type: 'root', children }).length
      made += toHtml(arriving.tail).length
    }
    return made + arriving.finish().length
  }
  const settledOnly = (chunks: readonly string[]) => {
    const arriving = createStream()
    return chunks.reduce((made, chunk) => made + arriving.push(chunk).length, 0) + arriving.finish().length
  }
  return [
    { name: 'blockmark stream, blocks and tail', every: 1, show: settledAndTail },
    { name: 'blockmark stream, blocks only', every: 1, show: settledOnly },
    { name: 'blockmark, all again', every: 50, show: again((source) => toHtml(source)) },
    { name: 'remend + marked, all again', every: 250, show: again((source) => marked(remend(source))) },
  ]
}

/** Loads the contenders that make a tree of a string. */
export async function treeContenders(): Promise<readonly Contender<object>[]> {
  const { parse } = await loadLibrary()
  const { fromMarkdown } = await load<{ fromMarkdown: (source: string) => object }>('mdast-util-from-markdown')
  const messageParser = await load<{ parse: (source: string) => object }>('@rocket.chat/message-parser')
  return [
    { name: 'blockmark parse', module: 'blockmark', run: (message) => parse(message) },
    { name: 'mdast-util-from-markdown', module: 'mdast-util-from-markdown', run: (message) => fromMarkdown(message) },
    { name: 'message-parser', module: '@rocket.chat/message-parser', run: (message) => messageParser.parse(message) },
  ]
}

/** Loads the contenders that write a message. */
export async function writingContenders(): Promise<readonly Contender<string | object, Report>[]> {
  const { md, mention, stringify, toBlocks } = await loadLibrary()
  const { Md } = await load<{ Md: SlackHelpers }>('slack-block-builder')
  const write = ({ build, repository, userID, url, steps }: Report) => md`
    **Build ${build}** of ${repository} failed: ${mention(userID)}
    ${steps.map(({ name, error }) => md`* **${name}:** ${error}`)}
    See [the log](${url}).`
  return [
    { name: 'blockmark md', module: 'blockmark', run: write },
    { name: 'blockmark stringify(md)', module: 'blockmark', run: (report) => stringify(write(report)) },
    { name: 'blockmark toBlocks(md)', module: 'blockmark', run: (report) => toBlocks(write(report)) },
    {
      name: 'slack-block-builder, text helpers',
      module: 'slack-block-builder',
      run: ({ build, repository, userID, url, steps }) =>
        [
          `${Md.bold(`Build ${build}`)} of ${repository} failed: ${Md.user(userID)}`,
          Md.listBullet(steps.map(({ name, error }) => `${Md.bold(`${name}:`)} ${error}`)),
          `See ${Md.link(url, 'the log')}.`,
        ].join('\n'),
    },
  ]
}

interface SlackHelpers {
  bold: (text: string) => string
  user: (id: string) => string
  link: (url: string, text: string) => string
  listBullet: (items: readonly string[]) => string
}

/** Loads the contenders that look for what was not meant. */
export async function lintContenders(): Promise<readonly Contender<object>[]> {
  const { lint } = await loadLibrary()
  const { lint: markdownlint } = await load<{ lint: (options: object) => object }>('markdownlint/sync')
  return [
    { name: 'blockmark lint', module: 'blockmark', run: (message) => lint(message) },
    { name: 'markdownlint', module: 'markdownlint', run: (message) => markdownlint({ strings: { message } }) },
  ]
}

/** Who writes trees back; what is mdast in them is written by the handlers that mdast-util-to-markdown has. */
export async function treeWriters(): Promise<readonly Contender<string, Root>[]> {
  const { stringify } = await loadLibrary()
  const { toMarkdown } = await load<{ toMarkdown: (tree: object, options: object) => string }>('mdast-util-to-markdown')
  const between =
    (marker: string): Handler =>
    (node, _parent, state, info) =>
      marker + state.containerPhrasing(node, { ...info, before: marker, after: marker }) + marker
  const handlers: Readonly<Record<string, Handler>> = {
    underline: between('_'),
    delete: between('-'),
    mention: ({ userID, label }) => `<@${userID}|${label ?? ''}>`,
    file: ({ fileID, label }) => `<!${fileID}|${label ?? ''}>`,
  }
  return [
    { name: 'blockmark stringify', module: 'blockmark', run: stringify },
    { name: 'mdast-util-to-markdown', module: 'mdast-util-to-markdown', run: (tree) => toMarkdown(tree, { handlers }) },
  ]
}

/** What mdast-util-to-markdown calls for a node. */
type Handler = (
  node: Readonly<Record<string, unknown>>,
  parent: unknown,
  state: { containerPhrasing: (node: object, info: object) => string },
  info: object,
) => string

/** Names the peers' packages as `bench/package.json` pins them. */
export function peerVersions(): Readonly<Record<string, string>> {
  const file = new URL('../package.json', import.meta.url)
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  return manifest.dependencies
}

export function loadLibrary(): Promise<Library> {
  return load<Library>(libraryUrl.href)
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

/** The least that a renderer can do: one paragraph, nothing read but what must be escaped. */
function escapeOnly(message: string): string {
  const needsEscape = message.includes('<') || message.includes('&')
  return `<p>${needsEscape ? message.replace(/[<&]/g, (found) => (found === '<' ? '&lt;' : '&amp;')) : message}</p>`
}

/**
 * Imports a module under a type of our own: the type check must pass where the peers are not installed, and theirs are
 * not checked as strictly as this project is.
 */
function load<Module>(name: string): Promise<Module> {
  return import(name)
}
