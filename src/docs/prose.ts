/** Prose of a page: CommonMark with GFM, drawn as HTML, and its sections for the contents and the search. */

import type { Element, ElementContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { defaultHandlers, type Handlers, toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { colorCode, languageName } from '../page/colors.js'
import { Markup, markup } from '../page/markup.js'

/** A heading of a page with the text below it. The first section of a page has no heading. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly depth: number
  text: string
}

/** A page while it is drawn. */
export interface Draft {
  readonly sections: Section[]
  /** Returns the URL of a link; null if the link leads to a file that readers do not have. */
  readonly urlOf: (url: string) => string | null
}

/** Draws prose, and adds its sections to the page. Raw HTML is shown as text. */
export function prose(markdown: string, draft: Draft): Markup {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  addSections(tree, draft)
  const hast = toHast(tree, { handlers: handlersOf(draft) })
  return new Markup(toHtml(hast, { allowDangerousHtml: true }))
}

function addSections({ children }: Root, { sections }: Draft): void {
  for (const node of children) {
    if (node.type === 'heading') {
      const title = textOf(node)
      const [baseID, count] = [idOf(title), sections.filter((section) => idOf(section.title) === idOf(title)).length]
      const id = count === 0 ? baseID : `${baseID}-${count}`
      node.data = { hProperties: { id } }
      sections.push({ id, title, depth: node.depth, text: '' })
    } else {
      const section = sections.at(-1)
      if (section !== undefined) section.text = `${section.text} ${textOf(node).replace(/\s+/g, ' ')}`.trim()
    }
  }
}

/** Returns the text of a node, with spaces between blocks. */
function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  if (!('children' in node)) return ''
  const isPhrasing = /^(?:paragraph|heading|link|strong|emphasis|delete)$/.test(node.type)
  return node.children.map(textOf).join(isPhrasing ? '' : ' ')
}

/** Returns the id of a heading: its number if it has one, so that `§4.6` finds it, or else GitHub's id. */
function idOf(title: string): string {
  const number = /^\d\.\d+/.exec(title)?.[0]
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
  return number ?? words.trim().replace(/\s+/g, '-')
}

function handlersOf({ urlOf }: Draft): Handlers {
  return {
    code: (_, { value, lang }) => ({ type: 'raw', value: codeOf(value, lang ?? null).html }),
    html: (_, { value }) => ({ type: 'text', value }),
    table: (state, node) => ({
      ...{ type: 'element', tagName: 'div', children: [withoutEmptyHeads(defaultHandlers.table(state, node))] },
      properties: { className: ['table'], tabIndex: 0, role: 'group', ariaLabel: 'Table' },
    }),
    link: (state, node) => {
      const href = urlOf(node.url)
      return href === null ? state.all(node) : element('a', { href }, state.all(node))
    },
    // Every `§` with a number becomes a link to its chapter.
    text: (_, { value }, parent) =>
      parent?.type === 'link'
        ? { type: 'text', value }
        : value.split(/(§[1-8](?:\.\d+)?)/).map((part: string): ElementContent => {
            const [, chapter, section] = /^§([1-8])(\.\d+)?$/.exec(part) ?? []
            const href =
              chapter === undefined ? null : urlOf(`page:dialect-${chapter}${section ? `#${chapter}${section}` : ''}`)
            return href !== null
              ? element('a', { href }, [{ type: 'text', value: part }])
              : { type: 'text', value: part }
          }),
  }
}

/** Replaces head cells without text by ordinary cells. */
function withoutEmptyHeads(node: Element): Element {
  const children = node.children.map((child) => (child.type === 'element' ? withoutEmptyHeads(child) : child))
  return { ...node, tagName: node.tagName === 'th' && children.length === 0 ? 'td' : node.tagName, children }
}

function element(tagName: string, properties: Record<string, string>, children: ElementContent[]): ElementContent {
  return { type: 'element', tagName, properties, children }
}

/** Draws code below its label. */
export function codeOf(
  code: string,
  language: string | null,
  label: string = languageName(language ?? 'Text'),
): Markup {
  const coloredMarkup = colorCode(code, language) ?? markup`${code}`
  const codeWithContinuations = new Markup(coloredMarkup.html.replace(/ \\$/gm, '<span class="continued">$&</span>'))
  return markup`<div class="code"><header><p>${label}</p></header><pre tabindex="0"><code>${codeWithContinuations}</code></pre></div>`
}
