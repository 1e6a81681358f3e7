/** The settings as the help lists them. */

import { variables } from '../config.js'

const width: number = Math.max(...variables.map(({ name }) => name.length))

const lines: readonly string[] = variables.map(({ name, help, default: value }) =>
  `  ${name.padEnd(width)}  ${help}${value === '' ? '' : ` (default ${value})`}`.trimEnd(),
)

/** Each environment variable with its meaning and default. */
export const settings: string = ['Settings, from the environment:', ...lines].join('\n')
