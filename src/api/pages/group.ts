/**
 * Sorts things into groups.
 *
 * @param things - the things
 * @param keyOf - which group each belongs to
 * @returns the groups, each in the order of the things
 */
export function groupBy<Thing, Key>(things: readonly Thing[], keyOf: (thing: Thing) => Key): ReadonlyMap<Key, Thing[]> {
  const groups = new Map<Key, Thing[]>()
  for (const thing of things) {
    const key = keyOf(thing)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [thing])
    else group.push(thing)
  }
  return groups
}
