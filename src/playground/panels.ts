/** What becomes of a text, in tabs: each of them is one output of the library. */

import { stringify, toHtml, toText } from '../index.js'
import { drawBlocks } from './blocks.js'
import { drawChecks } from './checks.js'
import { OWN, type Reading } from './dialects.js'
import type { Span } from './editor.js'
import { button, element } from './element.js'
import { treeLines } from './tree-lines.js'

/** What a panel is drawn from. */
export interface Shown extends Reading {
  readonly text: string
  readonly dialect: string
}

/** What a panel can do to the page around it. */
export interface Actions {
  readonly redraw: () => void
  readonly select: (span: Span) => void
  readonly replace: (span: Span, text: string) => void
  /** Goes on with another text. */
  readonly open: (text: string, dialect: string) => void
}

export interface Panel {
  /** Left out where it would say nothing. */
  readonly isShown?: (shown: Shown) => boolean
  readonly label: (shown: Shown) => string
  readonly draw: (shown: Shown, actions: Actions) => readonly Node[]
}

export const panels: Readonly<Record<string, Panel>> = {
  message: { label: () => 'Message', draw: drawMessage },
  text: { label: () => 'Plain text', draw: ({ tree }) => [element('pre', { class: 'wrapped' }, toText(tree))] },
  tree: { label: () => 'Tree', draw: ({ tree }) => [scroller(treeLines(tree))] },
  blocks: { label: () => 'Blocks', draw: drawBlocks },
  dialect: {
    isShown: ({ dialect }) => dialect !== OWN,
    label: () => 'As blockmark',
    draw: drawDialect,
  },
  checks: {
    label: ({ dialect, remarks }) => `${dialect === OWN ? 'Checks' : 'Losses'} (${remarks.length})`,
    draw: drawChecks,
  },
}

function drawMessage({ tree }: Shown): readonly Node[] {
  const content = element('div', { class: 'content' })
  // The library's output holds no element, attribute or address that runs anything; the page's own policy says so too.
  content.innerHTML = toHtml(tree)
  for (const code of content.querySelectorAll('pre')) code.tabIndex = 0
  return [content]
}

function drawDialect({ tree }: Shown, { open }: Actions): readonly Node[] {
  const text = stringify(tree)
  return [button('Go on with this', () => open(text, OWN)), element('pre', { class: 'wrapped', tabindex: '0' }, text)]
}

/** What scrolls can be reached by keyboard. */
function scroller(text: string): HTMLElement {
  return element('pre', { tabindex: '0' }, text)
}
