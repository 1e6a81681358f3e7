/**
 * 200 synthetic answers of models go through `fromMarkdown` and every product. Readers of the products' formats find each word where
 * it belongs: in a list with its number and depth, in a quote, or in text that looks like it where the product lacks lists or quotes.
 */

import { toHTML } from '@telegraf/entity'
import { parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../src/convert/index.js'
import { BlockmarkError, type Root, toBodies } from '../../src/index.js'
import {
  type RichTextBlock,
  type TelegramMessage,
  toDiscord,
  toMatrix,
  toSlack,
  toSlackBlocks,
  toTelegram,
  toWhatsApp,
} from '../../src/messengers/index.js'
import { type Answer, answerOf, type Word } from './answers.js'
import { discordQuotes, shownByDiscord, shownByMatrix, shownByWhatsApp } from './shown.js'
import { rejectionOf } from './tdlib.js'

const answers = Array.from({ length: 200 }, (_, seed) => answerOf(seed + 1))
const trees = new Map(answers.map((answer) => [answer, fromMarkdown(answer.markdown).tree]))

/** A line of a message without its markers, and their meaning. The depth is null if a cut hides it. */
interface Line extends Pick<Word, 'isQuote' | 'marker'> {
  readonly text: string
  readonly depth: number | null
}

/** Checks that the lines of all messages have all words, in order, each in its place. */
function expectWords(lines: readonly Line[], { words, markdown }: Answer): void {
  let at = 0
  const found = words.map((each) => {
    const start = lines.findIndex(({ text }, index) => index >= at && text.includes(each.word))
    if (start < 0) return { ...each, isQuote: 'missing' }
    at = start
    const { isQuote, marker, depth } = lines[start] ?? { isQuote: false, marker: null, depth: 0 }
    return each.isVerbatim ? each : { ...each, isQuote, marker, depth: depth ?? each.depth }
  })
  expect(found, `${markdown.slice(0, 300)} …`).toEqual(words)
}

/** Reads a line with the markers of the dialect, or with `-` for a bullet. */
function lineOf(line: string, isQuote: boolean): Line {
  const [, indent = '', marker, text = ''] = /^((?:\u2003\u2003)*)(?:([•◦▪-]|\d+\.) )?(.*)$/s.exec(line) ?? []
  if (marker === undefined) return { text: line, isQuote, marker: null, depth: 0 }
  return { text, isQuote, marker: /\d/.test(marker) ? Number.parseInt(marker, 10) : 'bullet', depth: indent.length / 2 }
}

/** Reads lines whose quotes begin with a mark. */
function linesWith(quote: string, message: string): Line[] {
  return message
    .split('\n')
    .map((line) => (line.startsWith(quote) ? lineOf(line.slice(quote.length), true) : lineOf(line, false)))
}

function expectAddresses(visible: string, { addresses }: Answer): void {
  expect(addresses.map((address) => visible.split(address).length - 1)).toEqual(addresses.map(() => 1))
}

function treeOf(answer: Answer): Root {
  return trees.get(answer) ?? { type: 'root', children: [] }
}

describe('200 answers', () => {
  test('cover every kind of block, and messages that are cut', () => {
    const places = new Set(
      answers.flatMap(({ words }) => words).map(({ isQuote, marker, depth }) => `${isQuote} ${typeof marker} ${depth}`),
    )
    expect(places.size).toBeGreaterThanOrEqual(9)
    expect(answers.filter((answer) => toTelegram(treeOf(answer)).length > 1).length).toBeGreaterThan(20)
    expect(answers.filter(({ addresses }) => addresses.length > 0).length).toBeGreaterThan(100)
  })

  test('are whole in Telegram, with quotes as entities, and nothing that it rejects', () => {
    for (const answer of answers) {
      const messages = toTelegram(treeOf(answer))
      for (const { text, entities } of messages) {
        expect([text.length <= 4_096, entities.length <= 100, text.trim() !== '']).toEqual([true, true, true])
        expect(
          entities.flatMap((entity) => ('url' in entity ? [rejectionOf(entity.url)] : [])).filter(Boolean),
        ).toEqual([])
        for (const { offset, length } of entities) expect(text.slice(offset, offset + length).trim()).not.toBe('')
      }
      expectWords(messages.flatMap(linesOfTelegram), answer)
      expectAddresses(messages.map(({ text }) => text).join('\n'), answer)
    }
  })

  test('are whole in Discord, with its lists and quotes', () => {
    for (const answer of answers) {
      const messages = toDiscord(treeOf(answer))
      expect(messages.filter(({ length }) => length > 2_000)).toEqual([])
      expectWords(messages.flatMap(linesOfDiscord), answer)
      const visible = messages
        .flatMap(shownByDiscord)
        .map(({ char }) => char)
        .join('')
      expect(wordsIn(visible), answer.markdown).toEqual(answer.words.map(({ word }) => word))
      const quoted = messages.flatMap(discordQuotes).join('')
      expect(wordsIn(quoted)).toEqual(answer.words.filter(({ isQuote }) => isQuote).map(({ word }) => word))
      expectAddresses(visible, answer)
    }
  })

  test('are whole in WhatsApp, with its lists and quotes', () => {
    for (const answer of answers) {
      const messages = toWhatsApp(treeOf(answer))
      expect(messages.filter(({ length }) => length > 4_096)).toEqual([])
      // An outermost bullet is WhatsApp's own, a nested one is text.
      expect(messages.join('\n')).not.toMatch(/^(?:> )?\u2003+- |^•/m)
      expectWords(
        messages.flatMap((message) => linesWith('> ', message)),
        answer,
      )
      const visible = messages
        .flatMap((message) => shownByWhatsApp(message, []))
        .map(({ char }) => char)
        .join('')
      expect(wordsIn(visible)).toEqual(answer.words.map(({ word }) => word))
      expectAddresses(visible, answer)
    }
  })

  test('are whole in Matrix, with its lists and quotes', () => {
    for (const answer of answers) {
      const messages = toMatrix(treeOf(answer))
      expect(messages.filter((message) => JSON.stringify(message).length > 45_000)).toEqual([])
      expectWords(
        messages.flatMap(({ formatted_body }) => linesOfMatrix(parseFragment(formatted_body) as Html)),
        answer,
      )
      const visible = messages
        .flatMap(({ formatted_body }) => shownByMatrix(formatted_body))
        .map(({ char }) => char)
        .join('')
      expectAddresses(visible, answer)
      expectWords(
        messages.flatMap(({ body }) => linesWith('> ', body)),
        answer,
      )
    }
  })

  test('are whole in Slack’s mrkdwn, with its quotes', () => {
    for (const answer of answers) {
      const text = toSlack(treeOf(answer))
      expect(text.replace(/&(?:amp|lt|gt);/g, '').replace(/<[^<>|&]+(?:\|[^<>&]+)?>/g, '')).not.toMatch(/[<>&]/)
      const visible = text.replace(/<([^<>|]+)\|([^<>]+)>/g, '$2')
      expectWords(linesWith('&gt; ', visible), answer)
      expectAddresses(visible, answer)
    }
  })

  test('are whole in Slack’s blocks, with its lists and quotes', () => {
    let count = 0
    for (const answer of answers) {
      const tree = treeOf(answer)
      const blocks = blocksOf(tree)
      if (blocks === null) {
        const parts = toBodies(tree, { bodyLength: 1_500 }).map((body) => toSlackBlocks(body))
        expect(wordsIn(JSON.stringify(parts))).toEqual(answer.words.map(({ word }) => word))
        continue
      }
      count += 1
      expect(blocks.length).toBeLessThanOrEqual(50)
      expectWords(
        blocks.flatMap(({ elements }) => elements.flatMap(linesOfElement)),
        answer,
      )
    }
    expect(count).toBeGreaterThan(150)
  })
})

function wordsIn(text: string): string[] {
  return Array.from(text.matchAll(/q\d+x\d+z/g), ([word]) => word)
}

/** Another library writes the entities as HTML, and an HTML parser finds the quotes. */
function linesOfTelegram(message: TelegramMessage): Line[] {
  const html = parseFragment(toHTML(message as never)) as Html
  const texts: { text: string; isQuote: boolean }[] = []
  const read = (node: Html, isQuote: boolean): void => {
    if (node.value !== undefined) texts.push({ text: node.value, isQuote })
    for (const child of node.childNodes ?? []) read(child, isQuote || node.nodeName === 'blockquote')
  }
  read(html, false)
  expect(texts.map(({ text }) => text).join('')).toBe(message.text)
  const lines: { text: string; isQuote: boolean }[] = [{ text: '', isQuote: false }]
  for (const { text, isQuote } of texts) {
    for (const [index, part] of text.split('\n').entries()) {
      const last = lines.at(-1)
      if (index > 0 || last === undefined) lines.push({ text: part, isQuote })
      else lines[lines.length - 1] = { text: last.text + part, isQuote: isQuote || (part === '' && last.isQuote) }
    }
  }
  return lines.map(({ text, isQuote }) => lineOf(text, isQuote))
}

/** Reads Discord's lines: the indent says how deep an item is, and only text has an escaped marker. */
function linesOfDiscord(message: string): Line[] {
  /** The columns at which the content of the open items begins. */
  let columns: number[] = []
  let isWhole = true
  return message.split('\n').map((line) => {
    const isQuote = line.startsWith('> ')
    const [, indent = '', marker, text = ''] = /^( *)(?:(-|\d+\.) )?(.*)$/s.exec(isQuote ? line.slice(2) : line) ?? []
    if (marker === undefined) {
      columns = []
      return { text: line, isQuote, marker: null, depth: 0 }
    }
    columns = columns.filter((column) => column <= indent.length)
    // A message that begins inside a list does not show the items around it.
    if (columns.length === 0) isWhole = indent === ''
    const depth = isWhole ? columns.length : null
    columns.push(indent.length + marker.length + 1)
    return { text, isQuote, marker: marker === '-' ? 'bullet' : Number.parseInt(marker, 10), depth }
  })
}

interface Html {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Html[]
}

/** Reads HTML: each text is a line in the lists and quotes around it. */
function linesOfMatrix(node: Html, place: Omit<Line, 'text'> = { isQuote: false, marker: null, depth: -1 }): Line[] {
  if (node.value !== undefined) return [{ ...place, text: node.value, depth: Math.max(place.depth ?? 0, 0) }]
  const inside = {
    ...place,
    isQuote: place.isQuote || node.nodeName === 'blockquote',
    depth: (place.depth ?? 0) + (['ol', 'ul'].includes(node.nodeName) ? 1 : 0),
  }
  let number = Number(node.attrs?.find(({ name }) => name === 'start')?.value ?? 1)
  return (node.childNodes ?? []).flatMap((child) => {
    const marker = node.nodeName === 'ol' ? number : node.nodeName === 'ul' ? ('bullet' as const) : inside.marker
    if (child.nodeName === 'li') number += 1
    return linesOfMatrix(child, { ...inside, marker })
  })
}

function blocksOf(tree: Root): RichTextBlock[] | null {
  try {
    return toSlackBlocks(tree)
  } catch (error) {
    if (error instanceof BlockmarkError && error.code === 'blocks/too-long') return null
    throw error
  }
}

/** Reads an element of rich text, and checks the fields that Slack documents. */
function linesOfElement(element: RichTextBlock['elements'][number]): Line[] {
  const textOf = (elements: readonly { readonly text?: string }[]): string => {
    expect(elements.length).toBeGreaterThan(0)
    const texts = elements.map(({ text = '' }) => text)
    expect(texts).not.toContain('')
    expect(texts.join('').length).toBeLessThanOrEqual(3_000)
    return texts.join('')
  }
  if (element.type !== 'rich_text_list') {
    const isQuote = element.type === 'rich_text_quote'
    return textOf(element.elements as { text?: string }[])
      .split('\n')
      .map((line) => lineOf(line, isQuote))
  }
  const { style, indent = 0, offset = 0, elements, ...others } = element
  expect([Object.keys(others), indent <= 8, elements.length > 0]).toEqual([['type'], true, true])
  return elements.flatMap((section, index) => {
    const marker = style === 'ordered' ? offset + index + 1 : 'bullet'
    return textOf(section.elements as { text?: string }[])
      .split('\n')
      .map((text) => ({ text, isQuote: false, marker, depth: indent }))
  })
}
