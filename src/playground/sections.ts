/** What each section of the dialect says, by its number; whoever serves the document puts it there. */

let read: Readonly<Record<string, string>> | null = null

/** A section by its number, else the one that it is in; undefined where the document has none. */
export function sectionText(number: string): string | undefined {
  read ??= JSON.parse(document.getElementById('sections')?.textContent ?? '{}') as Readonly<Record<string, string>> // as it was put there
  return read[number] ?? read[number.replace(/\..*/, '')]
}
