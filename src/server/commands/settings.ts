/** What the help says of the settings. */

import { variables } from '../config.js'

const width: number = Math.max(...variables.map(({ name }) => name.length))

const lines: readonly string[] = variables.map(({ name, help, default: value }) =>
  `  ${name.padEnd(width)}  ${help}${value === '' ? '' : ` (default ${value})`}`.trimEnd(),
)

/** Each environment variable, what it means and its default. */
export const settings: string = ['Settings, from the environment:', ...lines].join('\n')
