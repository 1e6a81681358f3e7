/** Expressions that are made when they are first asked for. */

const expressions: Map<string, RegExp> = /* @__PURE__ */ new Map()

/**
 * An expression of Unicode properties, made when it is first asked for: an engine reads those of a literal along with the
 * file, even where it never runs, and takes longer for that than for all the rest of an import.
 */
export function expression(source: string, flags: string): RegExp {
  const made = expressions.get(source) ?? new RegExp(source, flags)
  expressions.set(source, made)
  return made
}
