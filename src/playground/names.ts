/** Names in the document before the program runs, so that nothing moves when it does. */

import { dialectVersion } from '../dialect-version.js'
import { examples as all } from './examples.js'
import { switchLabels, tabLabels } from './tabs.js'

export const version: number = dialectVersion
export const examples: readonly string[] = all.map(({ name }) => name)
export const tabs: readonly (readonly [name: string, label: string])[] = Object.entries(tabLabels)
export const switches: readonly (readonly [name: string, label: string])[] = Object.entries(switchLabels)
