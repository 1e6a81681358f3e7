/** Markdown that is made to take long: what is repeated, and what stands before and behind all of it. */

export interface Family {
  readonly unit: string
  readonly before?: string
  readonly after?: string
}

const units: readonly string[] = [
  ...['*a ', 'a*', '*a **b ', '**a**', '~~a ~b', '[', '![', ']', '[a](', '[a](<b', '![[]()', '[a][', '[^a]'],
  ...['`a', '`` ` ', '\\', '&a', '<a ', '<!--', '<![CDATA[', '<b><i></b>', 'a.a-', 'a@b.c ', 'www.', 'http://a.b/)'],
  ...['> ', '- ', '1. > - ', '# ', '=', 'a', ' ', '\0', '\uE000', '<@7|a>'],
]

export const families: readonly Family[] = [
  ...units.map((unit) => ({ unit })),
  { unit: '<a "', after: "'" },
  { unit: '<!-- ', before: '<div>' },
  { unit: '*a_ ', before: '# ' },
]

/** The text of a family, repeated up to a length, in blocks of `blockLength` where that is given. */
export function textOf({ unit, before = '', after = '' }: Family, length: number, blockLength: number): string {
  const block =
    before + unit.repeat(Math.max(1, Math.floor((blockLength - before.length - after.length) / unit.length))) + after
  return Array.from({ length: Math.max(1, Math.floor(length / (block.length + 2))) }, () => block).join('\n\n')
}
