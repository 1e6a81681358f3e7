/** The panels, which draw outputs piece by piece. */

import { frameBlocks } from './blocks.js'
import { drawCheatSheet } from './cheat-sheet.js'
import { frameChecks } from './checks.js'
import { dialects, OWN } from './dialects.js'
import { button, element } from './element.js'
import { pair } from './pairing.js'
import { type Actions, type Frame, type Shown, unexpected } from './shown.js'
import { frameStream } from './streaming.js'
import { menuOf, menus } from './tabs.js'

type Panel = (shown: Shown, actions: Actions) => Frame

/** The panels of outputs that are not text. */
const panels: Readonly<Record<string, Panel>> = {
  message: frameMessage,
  tree: frameTree,
  blocks: (_, actions) => frameBlocks(actions),
  dialect: (_, { open, copied }) => {
    const { nodes, add } = frameText()
    return { nodes: [button('Go on with this', async () => open(await copied(), OWN)), ...nodes], add }
  },
  checks: frameChecks,
  compare: frameComparison,
  stream: frameStream,
  sheet: () => ({ nodes: drawCheatSheet(), add: unexpected }),
}

/** Draws the frame of an output, below the menu of its tab if that has one. */
export function frameOf(output: string, shown: Shown, actions: Actions): Frame {
  const frame = (panels[output] ?? frameText)(shown, actions)
  const menu = menuOf(output)
  if (menu === undefined) return frame
  const options = Object.entries(menus[menu] ?? {}).map(([value, label]) => element('option', { value }, label))
  const select = element('select', {}, ...options)
  select.value = output
  select.addEventListener('change', () => actions.choose(select.value))
  const label = element('label', {}, menu === 'post' ? 'Post with ' : 'Convert to ', select)
  return { ...frame, nodes: [element('p', { class: 'choice' }, label), ...frame.nodes] }
}

function frameText(): Frame {
  // An element that scrolls must be reachable by keyboard.
  const pre = element('pre', { class: 'wrapped', tabindex: '0' })
  return {
    nodes: [pre],
    add: (piece) => {
      if (piece.kind !== 'text') return unexpected(piece)
      pre.append(element('div', { class: 'piece' }, piece.text))
    },
  }
}

function frameMessage(_: Shown, { link }: Actions): Frame {
  const content = element('div', { class: 'blockmark' })
  return {
    nodes: [content],
    add: (piece) => {
      if (piece.kind !== 'blocks') return unexpected(piece)
      link(pair(piece.nodes, write(content, piece.html)))
    },
  }
}

/**
 * Appends blocks. The library's output contains no element, attribute or URL that runs anything, and the page's policy
 * forbids it too.
 */
function write(content: Element, html: string): Element[] {
  const count = content.childElementCount
  content.insertAdjacentHTML('beforeend', count === 0 ? html : `\n${html}`)
  const written = [...content.children].slice(count)
  for (const block of written) if (block instanceof HTMLPreElement) block.tabIndex = 0
  return written
}

function frameTree(_: Shown, { link }: Actions): Frame {
  const pre = element('pre', { tabindex: '0' })
  return {
    nodes: [pre],
    add: (piece) => {
      if (piece.kind !== 'lines') return unexpected(piece)
      const lines = piece.lines.map(({ line, span }) => ({ span, element: element('span', {}, line) }))
      const parts = lines.flatMap(({ element: part }, index) => (index === 0 ? [part] : ['\n', part]))
      pre.append(element('div', { class: 'piece' }, ...parts))
      link(lines.flatMap(({ span, element: part }) => (span === null ? [] : [{ element: part, span }])))
    },
  }
}

/** Draws one text as Slack, CommonMark and blockmark read it, side by side. */
function frameComparison(): Frame {
  const contents = new Map<string, Element>()
  const columns = [...dialects].map(([dialect, { name }]) => {
    const content = element('div')
    contents.set(dialect, content)
    return element('section', { 'aria-label': name }, element('p', { class: 'reader' }, name), content)
  })
  return {
    nodes: [element('div', { class: 'compared' }, ...columns.toReversed())],
    add: (piece) => {
      if (piece.kind !== 'column') return unexpected(piece)
      const part = element('div', { class: 'blockmark piece' })
      write(part, piece.html)
      contents.get(piece.dialect)?.append(part)
    },
  }
}
