/** Properties of the HTML of every string, with any results of callbacks (§6). */

import fc from 'fast-check'
import type { Root as HastRoot } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { parseFragment } from 'parse5'
import { parse, type RenderOptions, toHast, toHtml, toText } from '../../src/index.js'
import { checkElements, schema, write } from './html-table.js'
import { property } from './property.js'
import { resolvers } from './resolvers.js'
import { same } from './same.js'
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
  'the HTML of a post is the HTML of its blocks in sequence',
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

property('the HTML has only elements, attributes and URLs of the table', rendered, ({ sources: [input], options }) => {
  checkElements(toHtml(input, options))
})

property(
  'an HTML parser returns the tree that was written',
  rendered,
  ({ sources: [input], options }) => {
    const html = toHtml(input, options)
    // HTML cannot contain CR and U+0000, which only a callback's result can have (§1).
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
    same(write(sanitize(tree, schema) as HastRoot), write(tree)) // The sanitizer returns a root for a root.
  },
  { cost: 4 },
)

property(
  'a callback may render before it returns',
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
  'a render throws the error of a callback, and the next render is not affected',
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

/** The callbacks, each of which calls `before` first. */
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

/** An HTML parser splits the classes of an element at a form feed in a fence's language (§6). */
function hasOtherClasses(html: string): boolean {
  return /class="language-[^"]*\f/.test(html)
}

/** An HTML parser splits the `rel` of a callback's result into words. */
function hasOddTypes(html: string): boolean {
  return / rel="(?![^\s"]+(?: [^\s"]+)*")/.test(html)
}

function read(html: string): HastRoot {
  return fromParse5(parseFragment(html)) as HastRoot // A fragment is parsed as a root.
}
