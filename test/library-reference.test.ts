/** The reference of the library: every exported name has a section, and every function says all that a caller needs. */

import { describe, expect, test } from 'vitest'
import { entries, exportsOf, referenceOf } from '../.ci/reference.js'

describe.each(entries())('the reference of $entry', ({ entry, file }) => {
  const declared = exportsOf(file)
  const [, ...sections] = referenceOf(entry, file).split(/^(?=## )/m)

  test('has a section with the declaration of each export', () => {
    expect(sections.map((section) => /^## (\S+)/.exec(section)?.[1]).toSorted()).toEqual(
      declared.map(({ name }) => name).toSorted(),
    )
    for (const section of sections) expect(section).toMatch(/^```ts\n\S/m)
  })

  test('describes each function with its parameters, its result and an example', () => {
    const lacking = declared
      .filter(({ kind }) => kind === 'function')
      .flatMap(({ name, code, doc }) => {
        const parameters = /\(([\s\S]*)\)/.exec(code)?.[1]?.match(/(?<=^|[(,]\s*(?:\.\.\.)?)\w+(?=\??:)/g) ?? []
        const isPlugin = /: Plugin</.test(code)
        const returnsNothing = /(?:\): |=> )(?:void|asserts )/.test(code)
        const described = doc.split(/^@/m)[0]?.trim()
        return [
          ...(described ? [] : [`${name}: a description`]),
          ...(isPlugin || parameters.length === 0 || /^@param/m.test(doc) ? [] : [`${name}: @param`]),
          ...(isPlugin || returnsNothing || /^@returns/m.test(doc) ? [] : [`${name}: @returns`]),
          ...(/^@example/m.test(doc) ? [] : [`${name}: @example`]),
        ]
      })
    expect(lacking).toEqual([])
  })
})
