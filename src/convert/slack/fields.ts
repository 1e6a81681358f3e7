/** Fields of values that come from outside: one that is not what it should be is as if it were not there. */

/** A field of what may be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

export function stringIn(value: unknown, name: string): string {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : ''
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}
