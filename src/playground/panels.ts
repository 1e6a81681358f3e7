/** What becomes of a text, in tabs: each of them is one output of the library. */

import { toMarkdown } from '../convert/markdown.js'
import { toSlack } from '../convert/slack/index.js'
import { stringify, toHtml, toText } from '../index.js'
import { copyBlocks, drawBlocks } from './blocks.js'
import { drawCheatSheet } from './cheat-sheet.js'
import { drawChecks } from './checks.js'
import { drawComparison } from './compare.js'
import { OWN } from './dialects.js'
import { button, element } from './element.js'
import { pair, spanOfNode } from './pairing.js'
import { drawPost, requestOf } from './post.js'
import type { Actions, Chosen, Shown } from './shown.js'
import { drawStream, isStreamed } from './streaming.js'
import { treeLines } from './tree-lines.js'

export interface Panel {
  /** Left out where it would say nothing. */
  readonly isShown?: (shown: Shown) => boolean
  readonly label: (shown: Shown) => string
  readonly draw: (shown: Shown, actions: Actions) => readonly Node[]
  /** What Copy copies; where it is left out, the text itself. */
  readonly copied?: (shown: Shown, chosen: Chosen) => string
}

export const panels: Readonly<Record<string, Panel>> = {
  message: { label: () => 'Message', draw: drawMessage, copied: ({ tree }) => toHtml(tree) },
  text: output('Plain text', ({ tree }) => toText(tree)),
  html: output('HTML', ({ tree }) => toHtml(tree)),
  tree: { label: () => 'Tree', draw: drawTree, copied: ({ tree }) => JSON.stringify(tree, null, 2) },
  blocks: {
    label: () => 'Blocks',
    draw: (shown, { chosen }) => drawBlocks(shown, chosen),
    copied: (shown, chosen) => copyBlocks(shown, chosen),
  },
  markdown: output('CommonMark', ({ tree }) => toMarkdown(tree)),
  slack: output('Slack', ({ tree }) => toSlack(tree)),
  post: { label: () => 'Post this', draw: (shown, { chosen }) => drawPost(shown, chosen), copied: requestOf },
  dialect: {
    isShown: ({ dialect }) => dialect !== OWN,
    label: () => 'As blockmark',
    draw: drawDialect,
    copied: ({ tree }) => stringify(tree),
  },
  checks: {
    label: ({ dialect, remarks }) => `${dialect === OWN ? 'Checks' : 'Losses'} (${remarks.length})`,
    draw: drawChecks,
    copied: ({ remarks }) => remarks.map(String).join('\n'),
  },
  compare: { label: () => 'Compare', draw: drawComparison },
  stream: { isShown: isStreamed, label: () => 'Stream', draw: drawStream },
  sheet: { label: () => 'Cheat sheet', draw: drawCheatSheet },
}

/** An output that is text. */
function output(label: string, write: (shown: Shown) => string): Panel {
  return { label: () => label, draw: (shown) => [element('pre', { class: 'wrapped' }, write(shown))], copied: write }
}

function drawMessage({ tree }: Shown, { link }: Actions): readonly Node[] {
  const content = element('div', { class: 'blockmark' })
  // The library's output holds no element, attribute or address that runs anything; the page's own policy says so too.
  content.innerHTML = toHtml(tree)
  for (const code of content.querySelectorAll('pre')) code.tabIndex = 0
  link(pair(tree, content))
  return [content]
}

function drawTree({ tree }: Shown, { link }: Actions): readonly Node[] {
  const lines = treeLines(tree).map(({ line, node }) => ({ node, element: element('span', {}, line) }))
  link(
    lines.flatMap(({ node, element: part }) => {
      const span = spanOfNode(node)
      return span === null ? [] : [{ element: part, span }]
    }),
  )
  const parts = lines.flatMap(({ element: part }, index) => (index === 0 ? [part] : ['\n', part]))
  // What scrolls can be reached by keyboard.
  return [element('pre', { tabindex: '0' }, ...parts)]
}

function drawDialect({ tree }: Shown, { open }: Actions): readonly Node[] {
  const text = stringify(tree)
  return [button('Go on with this', () => open(text, OWN)), element('pre', { class: 'wrapped', tabindex: '0' }, text)]
}
