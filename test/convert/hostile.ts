/** Markdown that is made to take long: what is repeated, and what stands before and behind all of it. */

export interface Family {
  readonly unit: string
  readonly before?: string
  readonly after?: string
}

const units: readonly string[] = [
  ...['*a ', 'a*', '_a ', '*a _b ', '*a **b ', 'a**b*c', '**a**', '*a_ ', '***a ', '~a ', '~~a ~b'],
  ...['[', '![', ']', '[a]', '[a](', '[a](<b', '[a](b "', '![[]()', '[a][', '[^a]', '[^a]: b\n\n', '[a]: b\n\n[a] '],
  ...['`a', '`` ` ', '``a`', '\\', '&a', '&#1', '|', '|a', '|-', '|\n|-\n', '| a | b |\n'],
  ...[
    '<a ',
    '<a href="',
    '<!--',
    '<?',
    '<![CDATA[',
    '<!A',
    '</a>',
    '<div>\n',
    '<b>',
    '<b>a</i>',
    '<a b="',
    "<a '",
    '<b><i></b>',
  ],
  ...['a@', 'a.a-', 'a@b.c ', 'www.', 'http://', 'http://a.b/)', 'https://a.b/&amp;', '_a@b.c_'],
  ...[
    '> ',
    '>',
    '- ',
    '1. ',
    '+ ',
    '* a\n',
    '- a\n  ',
    '> a\n',
    '>a\nb\n',
    '- - a\n\n',
    '1. > - ',
    '# ',
    '#\n',
    '=',
    '=\n',
    '---\n',
    '```\n',
    '~~~ a\n',
  ],
  ...[
    'a',
    ' ',
    '  a\n',
    'a  \n',
    '\t',
    '\n',
    '\r',
    'é',
    '中',
    '👍',
    '\0',
    '\uD800',
    '\uE000',
    'a \n\n',
    '    a\n\n',
    '<@7|a>',
    '<@',
    '<!9|a>',
  ],
]

export const families: readonly Family[] = [
  ...units.map((unit) => ({ unit })),
  { unit: 'a*', before: '> - ' },
  { unit: '> - ', after: 'a' },
  { unit: '<a "', after: "'" },
  { unit: '<!-- ', before: '<div>' },
  { unit: '<b>', before: '<div>\n' },
  { unit: '| *a ', before: '|a|\n|-|\n' },
  { unit: '*a_ ', before: '# ' },
  { unit: '[a]\n\n', before: '[a]: b\n\n' },
  { unit: '\n> > > > > > > > > > > > > > > > > > > a\\', before: '' },
]

/** The text of a family, repeated up to a length, in blocks of `blockLength` where that is given. */
export function textOf({ unit, before = '', after = '' }: Family, length: number, blockLength: number): string {
  const block =
    before + unit.repeat(Math.max(1, Math.floor((blockLength - before.length - after.length) / unit.length))) + after
  return Array.from({ length: Math.max(1, Math.floor(length / (block.length + 2))) }, () => block).join('\n\n')
}
