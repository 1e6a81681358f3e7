/** A name that a module exports. */
export interface Declared {
  name: string
  kind: 'function' | 'value' | 'type'
  code: string
  doc: string
}
export function entries(): { entry: string; file: string }[]
export function exportsOf(file: string): Declared[]
export function referenceOf(entry: string, file: string): string
export function reference(): string
