/** Markdown that is made to take long: a repeated unit, and the text before and after it. */

export interface Family {
  readonly unit: string
  readonly before?: string
  readonly after?: string
}

const units: readonly string[] = [
  ...['*a ', 'a*', '*a **b ', '**a**', '~~a ~b', '[', '![', ']', '[a](', '[a](<b', '![[]()', '[a][', '[^a]'],
  ...['`a', '`` ` ', '\\', '&a', '<a ', '<!--', '<![CDATA[', '<b><i></b>', 'a.a-', 'a@b.c ', 'www.', 'http://a.b/)'],
  ...['https://a.b/c,', 'https://-,', 'https://[,'],
  ...['> ', '- ', '1. > - ', '# ', '=', 'a', ' ', '\0', '\uE000', '<@7|a>'],
]

/** Lines and blocks of few characters: many of them, inside each other, directly after one another. */
const blocks: readonly string[] = [
  ...['- a\n', '- a\n\n', '- - a\n', '- - a\n\n', '- a\n  - b\n', '- a\n\n  b\n\n', '- a\nb\n\n', '+ a\n- a\n', '-\n'],
  ...['1. a\n', '1. a\n   1. b\n', '1) a\n1. a\n', '- [ ] a\n', '- # a\n', '- ```\n', '-\ta\r\r', '- > a\n\n'],
  ...['> a\n', '> a\n\n', '> > a\n\n', '> > > a\n>\n', '> a\nb\n', '> a\nb\n\n', '> - a\n', '> - a\n>\n'],
  ...['> |a|\n> |-|\n', '> > a\n>\n', '> > > a\n> >\n', '> - > a\n>   >\n', '> > ```\n> > >\n', '> > - a\n>\n'],
  ...['- > - a\n\n', '[^a]: > a\n>\n'],
  ...[
    '|\n|-\n',
    '|]a!\n',
    '(\n#]a!',
    '|a|\n|-|\n|b|\n\n',
    '|a',
    'a\n',
    'a\n\n',
    'a\r\n',
    'a  \n',
    '# a\n',
    'a\n=\n',
    '***\n',
  ],
  ...['```\n', '    a\n\n'],
  ...['[a]: b\n', '[a]: b\n\n', '[^a]: [^a]\n\n', '[a]\n\n[a]: b\n\n', '<b>\n', '<!--\n\n', '*a*\n\n', '[a](b)\n\n'],
]

/** Pieces for a search for the slowest input. */
export const pieces: readonly string[] = [...units, ...blocks, '\n', '\n\n', '\r', '  ', '    ', '\t', 'a b']

const unnamed: readonly Family[] = [
  ...[...units, ...blocks].map((unit) => ({ unit })),
  { unit: '  - a\n', before: '- a\n' },
  { unit: '  > > a\n  >\n', before: '- a\n' },
  { unit: '    - a\n\n  b\n\n', before: '- a\n' },
  { unit: '  - \\( b\n', before: '- a\n' },
  { unit: 'a\n', before: '```\n' },
  { unit: '<a "', after: "'" },
  { unit: '<!-- ', before: '<div>' },
  { unit: ' ', before: 'a', after: 'b' },
  { unit: ' ', before: 'a <x', after: 'y>' },
  { unit: '*a_ ', before: '# ' },
  { unit: '<!--', before: 'a ' },
  { unit: '[a](b "', before: 'a ' },
]

/** Returns the text of a family, repeated up to a length, in blocks of `blockLength` if that is given. */
export function textOf({ unit, before = '', after = '' }: Family, length: number, blockLength: number): string {
  const block =
    before + unit.repeat(Math.max(1, Math.floor((blockLength - before.length - after.length) / unit.length))) + after
  return Array.from({ length: Math.max(1, Math.floor(length / (block.length + 2))) }, () => block).join('\n\n')
}

/** The families, each with a name that shows its pieces. */
export const families: readonly (Family & { readonly name: string })[] = unnamed.map((family) => ({
  ...family,
  name: [family.before, family.unit, family.after]
    .filter((part) => part !== undefined)
    .map((part) => JSON.stringify(part))
    .join(' '),
}))
