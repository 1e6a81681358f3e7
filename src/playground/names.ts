/** What the menus and tabs are called, for the document that they stand in before the program runs. */

import { OWN } from './dialects.js'
import { examples as all } from './examples.js'
import { panels } from './panels.js'

export const examples: readonly string[] = all.map(({ name }) => name)

const nothing = { text: '', dialect: OWN, isCut: false, remarkCount: 0, marks: [] }

export const tabs: readonly (readonly [name: string, label: string])[] = Object.entries(panels)
  .filter(([, { isShown }]) => isShown?.(nothing) ?? true)
  .map(([name, { label }]) => [name, label(nothing)])
