/** The contenders that write messages, serialize trees and lint. */
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { createElement } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Root } from '../src/tree.js'
import type { Contender } from './contenders.js'
import { libraryUrl, load, loadLibrary } from './modules.js'

/** A bot's message about a failed build. */
export interface Report {
  build: number
  repository: string
  userID: string
  url: string
  steps: readonly { name: string; error: string }[]
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

/** Loads the contenders that lint. */
export async function lintContenders(): Promise<readonly Contender<object>[]> {
  const { lint } = await load<typeof import('../src/lint/index.js')>(new URL('lint.js', libraryUrl).href)
  const { lint: markdownlint } = await load<{ lint: (options: object) => object }>('markdownlint/sync')
  return [
    { name: 'blockmark lint', module: 'blockmark/lint', run: (message) => lint(message) },
    { name: 'markdownlint', module: 'markdownlint', run: (message) => markdownlint({ strings: { message } }) },
  ]
}

/** Loads the contenders that serialize trees. mdast-util-to-markdown needs handlers for the nodes of the dialect. */
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

/** The function that mdast-util-to-markdown calls for a node. */
type Handler = (
  node: Readonly<Record<string, unknown>>,
  parent: unknown,
  state: { containerPhrasing: (node: object, info: object) => string },
  info: object,
) => string

/** Loads the two ways to show a message in React, as LIBRARY.md describes them. */
export async function reactContenders(): Promise<readonly Contender<string>[]> {
  const { toHast, toHtml } = await loadLibrary()
  const options = { Fragment, jsx, jsxs }
  return [
    {
      name: 'toHtml, dangerouslySetInnerHTML',
      module: 'react-dom',
      run: (message) =>
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML is safe (§6)
        renderToStaticMarkup(createElement('div', { dangerouslySetInnerHTML: { __html: toHtml(message) } })),
    },
    {
      name: 'toHast, hast-util-to-jsx-runtime',
      module: 'react-dom',
      run: (message) => renderToStaticMarkup(createElement('div', null, toJsxRuntime(toHast(message), options))),
    },
  ]
}
