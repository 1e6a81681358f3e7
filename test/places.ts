/** The positions of a value in a template, and the expected tree around it. */

import {
  br,
  code,
  emphasis,
  file,
  heading,
  inlineCode,
  link,
  list,
  mention,
  paragraph,
  root,
  strike,
  strong,
  text,
  underline,
} from '../src/author/builders.js'
import { md } from '../src/author/template.js'
import type { AnyNode, Link, Phrasing, PhrasingWithoutLink, Root } from '../src/tree.js'

/** A string as it is in the tree, by its position. */
export interface Forms {
  /** The string unchanged. */
  verbatim: string
  /** In a paragraph: its lines with breaks between them. */
  lines: PhrasingWithoutLink[]
  /** In a leaf without breaks: its lines with spaces between them. */
  line: string
  /** In fenced code: its lines with line feeds between them. */
  code: string
}

export interface Place {
  name: string
  write: (value: string) => Root
  /** The tree, by the builders. */
  tree: (value: Forms) => Root
}

/** The expected tree of a string at a position. */
export function expectedIn({ tree }: Place, value: string): Root {
  return joinTexts(tree(formsOf(value)))
}

export function formsOf(value: string): Forms {
  const all = value.split(/\r\n|\r|\n/)
  const lines = all.flatMap((line, index) => (index > 0 ? [br(), text(line)] : [text(line)]))
  return { verbatim: value, lines, line: all.join(' '), code: all.join('\n') }
}

/** Merges adjacent texts and drops empty ones. */
export function joinTexts<Node extends AnyNode>(node: Node): Node {
  if (!('children' in node)) return node
  const children: AnyNode[] = []
  for (const child of node.children) {
    const last = children.at(-1)
    if (child.type !== 'text') children.push(joinTexts(child))
    else if (last?.type === 'text') last.value += child.value
    else if (child.value !== '') children.push({ ...child })
  }
  return { ...node, children }
}

/** A named link, also if its label is empty: the builder would make that a bare link. */
function named(url: string, ...children: PhrasingWithoutLink[]): Link {
  return { type: 'link', url, title: null, children }
}

function one(...children: (Phrasing | Phrasing[] | string)[]): Root {
  return root(paragraph(...children))
}

/** In text, inside each delimiter, in each block, in each field, and next to itself or a delimiter. */
export const places: readonly Place[] = [
  { name: 'a paragraph', write: (v) => md`${v}`, tree: ({ lines }) => one(lines) },
  { name: 'text', write: (v) => md`a ${v} b`, tree: ({ lines }) => one('a ', lines, ' b') },
  { name: 'a word', write: (v) => md`a${v}b`, tree: ({ lines }) => one('a', lines, 'b') },
  { name: 'a line', write: (v) => md`a\n${v}\nb`, tree: ({ lines }) => one('a', br(), lines, br(), 'b') },
  { name: 'strong', write: (v) => md`**${v}**`, tree: ({ lines }) => one(strong(lines)) },
  { name: 'emphasis', write: (v) => md`a *${v}* b`, tree: ({ lines }) => one('a ', emphasis(lines), ' b') },
  { name: 'underline', write: (v) => md`(_a ${v}_)`, tree: ({ lines }) => one('(', underline('a ', lines), ')') },
  { name: 'delete', write: (v) => md`-${v} b-.`, tree: ({ lines }) => one(strike(lines, ' b'), '.') },
  {
    name: 'all markers',
    write: (v) => md`***_-${v}-_***`,
    tree: ({ lines }) => one(emphasis(strong(underline(strike(lines))))),
  },
  { name: 'a heading', write: (v) => md`# ${v}`, tree: ({ line }) => root(heading(1, line)) },
  {
    name: 'a marker in a heading',
    write: (v) => md`## a *${v}*`,
    tree: ({ line }) => root(heading(2, 'a ', emphasis(line))),
  },
  { name: 'an item', write: (v) => md`* a\n* ${v}\n* b`, tree: ({ line }) => root(list('a', paragraph(line), 'b')) },
  {
    name: 'a marker in an item',
    write: (v) => md`* **${v}:** a`,
    tree: ({ line }) => root(list(paragraph(strong(line, ':'), ' a'))),
  },
  { name: 'a label', write: (v) => md`[${v}](https://a.b)`, tree: ({ lines }) => one(named('https://a.b', ...lines)) },
  {
    name: 'a marker in a label',
    write: (v) => md`[a **${v}**](https://a.b)`,
    tree: ({ lines }) => one(named('https://a.b', text('a '), strong(lines))),
  },
  { name: 'a target', write: (v) => md`[a](${v})`, tree: ({ verbatim }) => one(named(verbatim, text('a'))) },
  {
    name: 'a part of a target',
    write: (v) => md`[a](https://${v}/b?c=${v}#d)`,
    tree: ({ verbatim }) => one(named(`https://${verbatim}/b?c=${verbatim}#d`, text('a'))),
  },
  {
    name: 'a scheme',
    write: (v) => md`[a](h${v}p://b)`,
    tree: ({ verbatim }) => one(named(`h${verbatim}p://b`, text('a'))),
  },
  {
    name: 'a bare link',
    write: (v) => md`see https://${v}/a_${v}.`,
    tree: ({ verbatim }) => one('see ', link(`https://${verbatim}/a_${verbatim}`), '.'),
  },
  { name: 'code', write: (v) => md`\`${v}\``, tree: ({ line }) => one(inlineCode(line)) },
  {
    name: 'code in an item',
    write: (v) => md`* \`\`a ${v}\`\``,
    tree: ({ line }) => root(list(inlineCode(`a ${line}`))),
  },
  { name: 'fenced code', write: (v) => md`\`\`\`\n${v}\n\`\`\``, tree: ({ code: value }) => root(code(value)) },
  {
    name: 'lines of fenced code',
    write: (v) => md`\`\`\`\na\n${v}\n${v}${v}\n\`\`\``,
    tree: ({ code: value }) => root(code(`a\n${value}\n${value}${value}`)),
  },
  {
    name: 'indented code',
    write: (v) => md`
      \`\`\`ts
        a(${v})
      \`\`\`
      b`,
    tree: ({ code: value }) => root(code(`  a(${value})`, 'ts'), paragraph('b')),
  },
  { name: 'a language', write: (v) => md`\`\`\`${v}\na`, tree: ({ line }) => root(code('a', line)) },
  {
    name: 'text after a fence',
    write: (v) => md`\`\`\`a b ${v}\nc`,
    tree: ({ code: value }) => root(code(`a b ${value}\nc`)),
  },
  { name: `a mention's label`, write: (v) => md`<@7|${v}>`, tree: ({ line }) => one(mention('7', line)) },
  {
    name: `a file's label`,
    write: (v) => md`a\n<!7|${v}>\nb`,
    tree: ({ line }) => root(paragraph('a'), file('7', line), paragraph('b')),
  },
  {
    name: 'words',
    write: (v) => md`${v}_${v}-${v}*${v}`,
    tree: ({ lines }) => one(lines, '_', lines, '-', lines, '*', lines),
  },
  { name: 'between words', write: (v) => md`a_${v}_b -${v}`, tree: ({ lines }) => one('a_', lines, '_b -', lines) },
  { name: 'in between', write: (v) => md`**a**${v}_b_`, tree: ({ lines }) => one(strong('a'), lines, '_b_') },
  { name: 'after an escape', write: (v) => md`\\*${v}* \\${v}`, tree: ({ lines }) => one('*', lines, '* \\', lines) },
  { name: 'an open bracket', write: (v) => md`[${v}] (${v}`, tree: ({ lines }) => one('[', lines, '] (', lines) },
  { name: 'two values', write: (v) => md`${v}${v}`, tree: ({ lines }) => one(lines, lines) },
  { name: 'an array', write: (v) => md`*${[v, [v, null]]}*`, tree: ({ lines }) => one(emphasis(lines, lines)) },
  { name: 'a text', write: (v) => md`_${text(v)}_`, tree: ({ lines }) => one(underline(lines)) },
  {
    name: 'another template',
    write: (v) => md`a ${md`**${v}**`} b`,
    tree: ({ lines }) => one('a ', strong(lines), ' b'),
  },
  {
    name: 'another template in a heading',
    write: (v) => md`# ${md`a ${v}`}`,
    tree: ({ line }) => root(heading(1, 'a ', line)),
  },
  {
    name: 'other templates that are items',
    write: (v) => md`* a\n${[v, v].map((each) => md`* ${each}`)}`,
    tree: ({ line }) => root(list('a', paragraph(line), paragraph(line))),
  },
]
