/** The lines of a table (GFM 4.10). */

/** Returns the cells of a row: the texts between unescaped bars. */
export function cellsOf(text: string): string[] {
  const cells: string[] = []
  const end = text.length
  let start = text.startsWith('|') ? 1 : 0
  for (let at = start; at < end; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') {
      cells.push(text.slice(start, at))
      start = at + 1
    }
  }
  return /[^ \t]/.test(text.slice(start)) ? [...cells, text.slice(start)] : cells
}

/** Returns the start of the cell in which a row breaks off. */
export function startOfLastCell(text: string): number {
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') start = at + 1
  }
  return start
}

/**
 * Whether two lines start a table.
 *
 * @param head - the first, without white space in front of it
 * @param delimiters - the second one
 */
export function isTable(head: string, delimiters: string): boolean {
  if (!DELIMITERS.test(delimiters) || !/[|:]/.test(delimiters)) return false
  return cellsOf(head).length === cellsOf(delimiters).length
}

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
