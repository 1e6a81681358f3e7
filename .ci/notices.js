/** The licenses of the packages in a bundle. */

import { readdirSync, readFileSync } from 'node:fs'

/**
 * Writes the licenses of all packages in a bundle as a comment, which the bundle must contain.
 *
 * @param {import('esbuild').Metafile} metafile
 */
export function noticesOf({ inputs }) {
  const folders = Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  /** @type {Map<string, string>} */
  const namesByText = new Map()
  for (const folder of new Set(folders)) {
    const name = folder.replace(/^.*node_modules\//, '')
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    if (file === undefined) throw new Error(`${name} has no license`)
    const text = readFileSync(`${folder}/${file}`, 'utf8').trim()
    namesByText.set(text, [...(namesByText.get(text)?.split(', ') ?? []), name].join(', '))
  }
  return Array.from(namesByText, ([text, names]) => `\n/*! ${names}:\n${text}\n*/`).join('')
}
