/** What holds for the HTML of every string, whatever the resolvers answer (§6). */

import fc from 'fast-check'
import type { Root as HastRoot } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml as hastToHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import { parse, type RenderOptions, toHast, toHtml, toText } from '../../src/index.js'
import { checkElements, schema } from './html-table.js'
import { property } from './property.js'
import { resolvers } from './resolvers.js'
import { source } from './sources.js'

const rendered = fc.record({ sources: fc.tuple(source), options: resolvers })
const several = fc.record({ sources: fc.array(source, { maxLength: 4 }), options: resolvers })

property(
  'both routes give the same bytes, from a string and from its tree',
  rendered,
  ({ sources: [input], options }) => {
    const html = toHtml(input, options)
    const tree = parse(input)
    same(toHtml(tree, options), html)
    same(write(toHast(input, options)), html)
    same(write(toHast(tree, options)), html)
    same(toHtml(parse(input, { position: false }), options), html)
  },
)

property(
  'a post is its blocks in a row',
  several,
  ({ sources, options }) => {
    const trees = sources.map((each) => parse(each))
    const parts = sources.map((each) => toHtml(each, options)).filter((part) => part !== '')
    same(toHtml(sources, options), parts.join('\n'))
    same(toHtml(trees, options), parts.join('\n'))
    same(write(toHast(sources, options)), parts.join('\n'))
  },
  { cost: 4 },
)

property(
  'no element, attribute or url is in the HTML that the table lacks',
  rendered,
  ({ sources: [input], options }) => {
    checkElements(toHtml(input, options))
  },
)

property(
  'an HTML parser reads the tree that was written',
  rendered,
  ({ sources: [input], options }) => {
    const html = toHtml(input, options)
    // HTML can not hold CR and U+0000, which no source holds (§1) but a resolver's answer may.
    if (hasOtherClasses(html) || hasOddTypes(html) || /[\r\0]|&#x0;/.test(html)) return
    same(write(read(html)), html)
  },
  { cost: 4 },
)

property(
  'a sanitizer leaves it unchanged',
  rendered,
  ({ sources: [input], options }) => {
    const html = toHtml(input, options)
    if (hasOtherClasses(html) || hasOddTypes(html)) return
    const tree = read(html)
    same(write(sanitize(tree, schema) as HastRoot), write(tree)) // a root is sanitized to a root
  },
  { cost: 4 },
)

property(
  'a resolver may render before it answers',
  rendered,
  ({ sources: [input], options }) => {
    const rendering = wrapped(options, () => {
      toHtml(`**a** _b_ <@2>\n${input}`)
      toText(input)
    })
    same(toHtml(input, rendering), toHtml(input, options))
    same(toText(input, rendering), toText(input, options))
  },
  { cost: 4 },
)

property(
  'what a resolver throws the render throws, and the next render knows nothing of it',
  rendered,
  ({ sources: [input], options }) => {
    const html = toHtml(input, options)
    const error = new Error('thrown by a resolver')
    let isAsked = false
    const throwing = wrapped(options, () => {
      isAsked = true
      throw error
    })
    for (const render of [toHtml, toHast, toText]) {
      isAsked = false
      const thrown = thrownBy(() => render(input, throwing))
      if (thrown !== (isAsked ? error : null)) throw new Error(`${render.name} threw ${thrown}`)
    }
    same(toHtml(input, options), html)
  },
  { cost: 4 },
)

function thrownBy(run: () => unknown): unknown {
  try {
    run()
    return null
  } catch (error) {
    return error
  }
}

/** The resolvers, each doing something before it answers. */
function wrapped({ mention, file, link }: RenderOptions, before: () => void): RenderOptions {
  return {
    mention: (id, label) => {
      before()
      return mention?.(id, label)
    },
    file: (id, label) => {
      before()
      return file?.(id, label)
    },
    link: (url) => {
      before()
      return link?.(url)
    },
  }
}

/** A form feed in a fence's language parts the classes of an element for an HTML parser (§6). */
function hasOtherClasses(html: string): boolean {
  return /class="language-[^"]*\f/.test(html)
}

/** An HTML parser reads the link types of an answer as words. */
function hasOddTypes(html: string): boolean {
  return / rel="(?!\S+(?: \S+)*")/.test(html)
}

function read(html: string): HastRoot {
  return fromParse5(parseFragment(html)) as HastRoot // a fragment is read as a root
}

function write(tree: ReturnType<typeof toHast> | HastRoot): string {
  return hastToHtml(tree, { characterReferences: { useNamedReferences: true } })
}

function same(received: string, expected: string): void {
  if (received !== expected)
    throw new Error(`received ${JSON.stringify(received)}, expected ${JSON.stringify(expected)}`)
}
