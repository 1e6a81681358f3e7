/** The playground draws messengers' messages: all visible text is kept, and only elements of formatting occur. */

import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { anyTree } from '../../src/arbitraries/index.js'
import { fromMarkdown } from '../../src/convert/index.js'
import { BlockmarkError, type Root, toBodies, toText } from '../../src/index.js'
import { toDiscord, toSlackBlocks, toTelegram, toWhatsApp } from '../../src/messengers/index.js'
import { discordBubble, slackBubble, telegramBubble, whatsAppBubble } from '../../src/playground/bubbles.js'
import { isLong } from '../amount.js'

const bubbles: Readonly<Record<string, (tree: Root) => string[]>> = {
  Telegram: (tree) => toTelegram(tree).map(telegramBubble),
  Discord: (tree) => toDiscord(tree).map(discordBubble),
  WhatsApp: (tree) => toWhatsApp(tree).map(whatsAppBubble),
  Slack: (tree) => toBodies(tree, { bodyLength: 1000 }).map((body) => slackBubble(toSlackBlocks(body))),
}

const drawn = (name: string, markdown: string): string => bubbles[name]?.(fromMarkdown(markdown).tree).join('') ?? ''

/** The text of HTML, and the names of its elements. */
function read(html: string): { text: string; names: Set<string> } {
  const names = new Set<string>()
  let text = ''
  const walk = (node: object): void => {
    if ('value' in node) text += String(node.value)
    if ('tagName' in node) names.add(String(node.tagName))
    if ('childNodes' in node) for (const child of node.childNodes as object[]) walk(child) // parse5 has no type for all nodes.
  }
  walk(parseFragment(html))
  return { text, names }
}

/** Returns nothing for a message that the product cannot show. */
function orNothing(draw: () => string): string {
  try {
    return draw()
  } catch (error) {
    if (error instanceof BlockmarkError) return ''
    throw error
  }
}

const allowed = 'a b i u s code pre p ul ol li blockquote h1 h2 h3 small div'.split(' ')

describe.each(Object.keys(bubbles))('the bubble of %s', (name) => {
  test('has bold, italic and struck text, code and links', () => {
    const html = drawn(
      name,
      '**b** *i* ~~s~~ `c <d>` [label](https://example.com/a_b)\n\n```ts\nx < *y*\n```\n\nsnake_case',
    )
    expect(html).toContain('<b>b</b> <i>i</i> <s>s</s> <code>c &lt;d></code>')
    expect(html).toContain('<a href="https://example.com/a_b">')
    expect(html).toMatch(/<pre>x &lt; \*y\*\n?<\/pre>/)
    expect(html).toContain('snake_case')
  })

  test('formats nothing that is text in the message', () => {
    const { text, names } = read(drawn(name, '\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\[e\\] \\# f'))
    expect(text.replaceAll('\u2060', '')).toBe('*a* _b_ ~c~ `d` [e] # f')
    expect([...names].filter((each) => each !== 'p')).toEqual([])
  })

  test('shows the letters of the message', () => {
    const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
    const markdown =
      '# Title\n\n**a _b_ c** un**believ**able\n\n- one\n- two `x*y`\n\n```\ncode *c*\n```\n\n_(a) ~b~ *c*_'
    expect(letters(read(drawn(name, markdown)).text)).toBe(letters(toText(fromMarkdown(markdown).tree)))
  })

  test('has only elements of formatting, whatever the message is', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const html = orNothing(() => bubbles[name]?.(tree).join('') ?? '')
        expect([...read(html).names].filter((each) => !allowed.includes(each))).toEqual([])
      }),
      { numRuns: isLong ? 20_000 : 200 },
    )
  })
})
