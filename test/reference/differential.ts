/**
 * The differential test: the package and the reference parser of this folder on the same string. A difference is reported as an
 * example for `fixtures/`; fast-check shortens the string.
 */

import { toHtml as hastToHtml } from 'hast-util-to-html'
import { parse, type RenderOptions, toHast, toHtml, toText } from '../../src/index.js'
import type { Root } from '../../src/tree.js'
import { toLines } from '../fixtures/chapter.js'
import { printTrees } from '../fixtures/tree-lines.js'
import { referenceParse } from './parse.js'
import { referenceHtml, referenceText } from './render.js'

/**
 * Compares the package with the reference parser.
 *
 * @param source - any string
 * @returns null if they agree, else a report of the difference
 */
export function differenceOn(source: string): string | null {
  const difference = firstDifference(source)
  return difference === null ? null : report(source, difference)
}

interface Difference {
  aspect: Aspect
  expected: unknown
  received: unknown
}

function firstDifference(source: string): Difference | null {
  for (const [aspect, expected, receive] of comparisonsOf(source)) {
    const received = resultOf(receive)
    const omitted = aspect === 'tree without positions' ? 'position' : null
    if (!isSame(received, expected, omitted)) return { aspect, expected, received }
  }
  return null
}

type Aspect =
  | 'tree'
  | 'tree without positions'
  | 'html of the string'
  | 'html of the tree'
  | 'html with resolvers'
  | 'html of the hast'
  | 'text'
  | 'text with resolvers'
  | 'tree after a resolver has thrown'

/** The aspect, the value of the reference parser, and a function that returns the package's. */
type Comparison = readonly [Aspect, unknown, () => unknown]

function comparisonsOf(source: string): Comparison[] {
  const tree = referenceParse(source)
  const html = referenceHtml(tree)
  const resolvedHtml = referenceHtml(tree, resolvers)
  return [
    ['tree', tree, () => parse(source)],
    ['tree without positions', tree, () => parse(source, { position: false })],
    ['html of the string', html, () => toHtml(source)],
    ['html of the tree', html, () => toHtml(tree)],
    ['html with resolvers', resolvedHtml, () => toHtml(source, resolvers)],
    ['html of the hast', resolvedHtml, () => hastToHtml(toHast(tree, resolvers), hastOptions)],
    ['text', referenceText(tree), () => toText(source)],
    ['text with resolvers', referenceText(tree, resolvers), () => toText(tree, resolvers)],
    ['tree after a resolver has thrown', tree, () => parseAfterThrow(source)],
  ]
}

/** A render that ends early must not affect the next one. */
function parseAfterThrow(source: string): Root {
  resultOf(() => toHtml(source, throwing))
  return parse(source)
}

/** Whether two values have the same fields with the same values, except for one field of the expected value. */
function isSame(received: unknown, expected: unknown, omitted: string | null): boolean {
  if (!isObject(received) || !isObject(expected)) return received === expected
  const names = Object.keys(expected).filter((name) => name !== omitted)
  return (
    Object.getPrototypeOf(received) === Object.getPrototypeOf(expected) &&
    Object.keys(received).length === names.length &&
    names.every((name) => Object.hasOwn(received, name) && isSame(received[name], expected[name], omitted))
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

const hastOptions = { characterReferences: { useNamedReferences: true } }

const throwing: RenderOptions = {
  mention: (id) => {
    throw new Error(id)
  },
}

/**
 * Resolvers with results for ids that begin with a digit or `a`: values that must be escaped, rejected or left out. They
 * parse and render within the call.
 */
const resolvers: RenderOptions = {
  mention: (id) => {
    if (id.startsWith('a')) return { name: `${id} <b> & "c" ${toHtml('*a* <@b|c> [_d_](e1:f) `g` http://h')}` }
    return /^[0-9]/.test(id) ? { name: `n${id}`, href: hrefOf(id) } : undefined
  },
  file: (id, label) => {
    if (id.startsWith('a')) return { name: 'download', mediaType: 'application/pdf', href: '/f/%2fé' }
    if (!/^[0-9]/.test(id)) return undefined
    const mediaType = ['image/png', 'image/svg+xml', 'video/mp4', 'text/plain'][id.length % 4] ?? ''
    return {
      name: `<${label ?? id}'\`>`,
      mediaType,
      href: hrefOf(id),
      width: 640,
      ...(id.length > 1 && { height: 480 }),
    }
  },
}

function hrefOf(id: string): string {
  const hrefs = [
    '/u?a=1&b="2"',
    "https://a.b/%zz'`<",
    '//evil.example',
    'javascript:alert(1)',
    'HTTP://A',
    'mailto:a',
    'x',
  ]
  return `${hrefs[(id.codePointAt(0) ?? 0) % hrefs.length]}${id}`
}

function resultOf(receive: () => unknown): unknown {
  try {
    return receive()
  } catch (error) {
    return error
  }
}

function report(source: string, difference: Difference): string {
  return [
    `differs in: ${difference.aspect}`,
    '',
    ...exampleLines(source),
    '',
    'expected, by the dialect:',
    ...linesOf(difference.expected),
    '',
    'received, from the package:',
    ...linesOf(difference.received),
  ].join('\n')
}

/** Writes the string and the result of the reference parser as an example of a chapter. */
function exampleLines(source: string): string[] {
  const tree = referenceParse(source)
  const backticks = Array.from(source.matchAll(/`+/g), ([run]) => run.length)
  const fence = '`'.repeat(Math.max(7, ...backticks) + 1)
  return [
    `${fence} example differential`,
    ...toLines(source),
    '=> tree',
    ...printTrees([tree], everyOffset),
    '=> html',
    ...toLines(referenceHtml(tree)),
    '=> text',
    ...toLines(referenceText(tree)),
    fence,
  ]
}

/** An expectation with which `printTrees` prints the offsets of every line. */
const everyOffset: readonly string[] = Array.from({ length: 10_000 }, () => 'root @0-0')

function linesOf(value: unknown): string[] {
  if (value instanceof Error) return [value.stack ?? String(value)]
  return typeof value === 'string' ? value.split('\n') : [JSON.stringify(value, null, 1).replace(/\n */g, ' ')]
}
