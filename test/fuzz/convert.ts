/** The readers of CommonMark, GFM and Slack's formats, and their properties for every input. */

import { isDeepStrictEqual } from 'node:util'
import { byOffset } from '../../src/convert/from-mdast.js'
import { createMarkdownStream, fromMarkdown, toMarkdown } from '../../src/convert/markdown.js'
import { fromSlack, toSlack, toSlackBlocks } from '../../src/convert/slack/index.js'
import {
  assertTree,
  type Block,
  BlockmarkError,
  normalize,
  parse,
  type Root,
  stringify,
  toText,
} from '../../src/index.js'
import { isSubsequence, visibleText } from '../convert/visible.js'
import { toVisible } from '../fixtures/invisible.js'
import { withoutSpace } from '../properties/serialization.js'
import { cut, looksOf } from './dialect.js'
import { readJson } from './json.js'
import { markdownSeeds, slackSeeds } from './seeds.js'
import { fail, type Input, type Target } from './target.js'

const ofMarkdown = { form: 'text', seeds: markdownSeeds, show: showMarkdown } as const

export const convertTargets: readonly Target[] = [
  { ...ofMarkdown, name: 'fromMarkdown', check: checkMarkdown, work: null },
  { ...ofMarkdown, name: 'createMarkdownStream', check: checkStream, work: null },
  { name: 'fromSlack', form: 'json', seeds: slackSeeds, check: checkSlack, show: showSlack, work: null },
]

/** Checks the properties of serialization for the tree of a conversion. */
function checkWritten(tree: Root): void {
  assertTree(tree)
  const written = stringify(tree)
  const read = parse(written, { position: false })
  const normal = normalize(tree).tree
  if (!isDeepStrictEqual(read, normal)) fail('parse(stringify(t)) = normalize(t)', written, read, normal)
  if (withoutSpace(toText(normal)) !== withoutSpace(toText(tree))) fail('normalize keeps the text', normal, tree)
}

function checkMarkdown({ text, knob }: Input): string[] {
  const emphasis = knob % 4 === 0 ? 'commonmark' : 'dialect'
  const { tree, messages } = fromMarkdown(text, { emphasis, tables: 'code' })
  checkWritten(tree)
  for (const { reason, ruleId } of messages) {
    if (!/^[a-z-]+: ./.test(`${ruleId}: ${reason}`)) fail('a message has a rule and a reason', ruleId, reason)
  }
  if (/"type":"(?:mention|file)"/.test(JSON.stringify(tree))) fail('text mentions no user', tree)
  const markdown = toMarkdown(tree)
  const isMixed = /<br/i.test(text) && messages.some(({ ruleId }) => ruleId === 'table')
  // A file inside a line is written as its name.
  const named = text.replace(/<!([^<>|]*)\|([^<>|]*)>/g, (_, id, label) => `[file: ${label || id}]`)
  const [before = '', after = ''] = [visibleText(named), visibleText(markdown)].map((shown) =>
    isMixed ? [...shown].sort().join('') : shown,
  )
  if (!isSubsequence(before, after)) fail('all that is visible is shown', before, after, markdown)
  return [...looksOf(tree), ...messages.map(({ ruleId }) => ruleId)]
}

function checkStream({ text, knob }: Input): string[] {
  const stream = createMarkdownStream()
  const blocks: Block[] = []
  const looks: string[] = []
  for (const chunk of cut(text, knob)) {
    blocks.push(...stream.push(chunk))
    const { tail } = stream
    assertTree(tail)
    looks.push(...looksOf(tail))
  }
  blocks.push(...stream.finish())
  const { messages } = stream
  if (messages.some(({ ruleId }) => ruleId === 'reference-late')) return looks
  const whole = fromMarkdown(text)
  if (!isDeepStrictEqual(blocks, whole.tree.children)) fail('settled blocks are those of the whole', blocks, whole.tree)
  const [said, expected] = [JSON.stringify(messages.toSorted(byOffset)), JSON.stringify(whole.messages)]
  if (said !== expected) fail('the same is said to be lost', said, expected)
  return looks
}

function showMarkdown({ text }: Input): string {
  return exampleFrom('markdown', text, () => fromMarkdown(text).tree)
}

function checkSlack({ text }: Input): string[] {
  const value = readJson(text) ?? text
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return []
  if (!isSlacks(value)) {
    expectRefusal(value)
    return ['refused']
  }
  const { tree, messages } = fromSlack(value)
  checkWritten(tree)
  if (/"type":"(?:mention|file)"/.test(JSON.stringify(tree))) fail('text mentions no user', tree)
  const mrkdwn = toSlack(tree)
  const brackets = mrkdwn.match(/<[^>]*>?/g) ?? []
  if (!brackets.every((bracket) => /^<(?:https?|mailto):[^<>]*>$/i.test(bracket))) fail('text notifies no user', mrkdwn)
  try {
    toSlackBlocks(tree)
  } catch (error) {
    if (!(error instanceof BlockmarkError && error.code === 'blocks/too-long')) throw error
  }
  return [...looksOf(tree), ...messages.map(({ ruleId }) => ruleId)]
}

/** Whether a value is mrkdwn, blocks or a message. A message has at least one known field, and a block has a type. */
function isSlacks(value: string | object): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return true
  return ['text', 'blocks', 'attachments', 'type'].some((name) => name in value)
}

/** Checks that other values are rejected with a sentence that names the expected ones. */
function expectRefusal(value: string | object): void {
  try {
    fromSlack(value)
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('fromSlack: expected ')) return
    throw error
  }
  fail('other values are rejected', value)
}

function showSlack({ text }: Input): string {
  const value = readJson(text) ?? text
  if (typeof value === 'string') return exampleFrom('slack', value, () => fromSlack(value).tree)
  return exampleFrom(Array.isArray(value) ? 'blocks' : 'payload', text, () => fromSlack(value as object).tree)
}

/** An example for `fixtures/conversions.md`. */
function exampleFrom(from: string, text: string, read: () => Root): string {
  const runs = Array.from(text.matchAll(/`+/g), ([run]) => run.length)
  const fence = '`'.repeat(Math.max(3, ...runs) + 1)
  const written = (): string => {
    try {
      return toVisible(stringify(read()))
    } catch (error) {
      return String(error)
    }
  }
  return [`${fence} ${from} NAME-OF-THE-BEHAVIOR`, toVisible(text), '=> dialect', written(), fence].join('\n')
}
