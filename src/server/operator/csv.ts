/** People from a CSV file (RFC 4180) whose first line is `name,email`, in either order. */

import { OperatorError } from './organizations.js'

/** Reads people. Throws OperatorError if the first line is another one. */
export function readPeople(text: string): { name: string; email: string }[] {
  const [header = [], ...records] = recordsOf(text.replace(/^\uFEFF/, ''))
  const columns = header.map((field) => field.trim().toLowerCase())
  const [name, email] = [columns.indexOf('name'), columns.indexOf('email')]
  if (name < 0 || email < 0) throw new OperatorError(`the first line is ${header.join(',')}: write name,email`)
  return records.map((record, index) => {
    if (record.length !== columns.length)
      throw new OperatorError(
        `record ${index + 2} has ${record.length} of ${columns.length} fields: write ${columns.join(',')}`,
      )
    return { name: record[name] ?? '', email: record[email] ?? '' }
  })
}

function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (record.length > 1 || record[0] !== '') records.push(record)
    record = []
    if (end === '') break
  }
  return records
}
