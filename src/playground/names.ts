/** Names in the document before the program runs, so that nothing moves when it does. */

import { examples as all } from './examples.js'
import { tabLabels } from './tabs.js'

export const examples: readonly string[] = all.map(({ name }) => name)
export const tabs: readonly (readonly [name: string, label: string])[] = Object.entries(tabLabels)
