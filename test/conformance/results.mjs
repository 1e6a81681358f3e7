/** The results of an implementation for one case of the conformance data. Plain JavaScript, for every runtime. */

/**
 * Computes the results for a case.
 *
 * @param {typeof import('../../src/index.js')} blockmark - the implementation
 * @param {{ blocks: string[], resolvers?: import('../fixtures/resolvers.js').ResolverResults }} question - the input
 * @returns the results, by the names of the data's fields
 */
export function resultsOf({ parse, stringify, toHtml, toText }, { blocks, resolvers = { mention: {}, file: {} } }) {
  const options = {
    mention: (id) => (Object.hasOwn(resolvers.mention, id) ? resolvers.mention[id] : undefined),
    file: (id) => (Object.hasOwn(resolvers.file, id) ? resolvers.file[id] : undefined),
    link: (url) => (Object.hasOwn(resolvers.link ?? {}, url) ? resolvers.link[url] : undefined),
  }
  return {
    trees: blocks.map((block) => treeOf(parse(block))),
    html: toHtml(blocks, options),
    text: toText(blocks, options),
    dialect: blocks.map((block) => stringify(parse(block))),
  }
}

/**
 * Returns a tree in the form of the data, without lines and columns, which follow from the offsets.
 *
 * @param {import('../../src/index.js').AnyNode} node - a node of a parsed tree
 * @returns {object} the node, with `position: [start, end]` after its other fields
 */
export function treeOf({ position, ...fields }) {
  const { children, ...own } = { children: undefined, ...fields }
  const range = position === undefined ? {} : { position: [position.start.offset, position.end.offset] }
  return { ...own, ...(children === undefined ? {} : { children: children.map(treeOf) }), ...range }
}

/**
 * Runs all cases.
 *
 * @param {typeof import('../../src/index.js')} blockmark - the implementation
 * @param {{ chapter: string, name: string, blocks: string[] }[]} cases - the cases of the data
 * @returns {string[]} the wrong results, or the number of cases if all results are correct
 */
export function check(blockmark, cases) {
  const failures = cases.flatMap((each) =>
    Object.entries(resultsOf(blockmark, each))
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(each[name] ?? each.blocks))
      .map(([name]) => `${each.chapter} ${each.name}: ${name}`),
  )
  return failures.length > 0 ? failures : [`${cases.length} cases pass`]
}
