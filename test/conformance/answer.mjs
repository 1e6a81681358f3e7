/** The results of an implementation for one case of the conformance data. Plain JavaScript, for every runtime. */

/**
 * Answers a case.
 *
 * @param {typeof import('../../src/index.js')} blockmark - the implementation
 * @param {{ blocks: string[], resolvers?: import('../fixtures/resolvers.js').Answers }} question - what goes in
 * @returns the results, by the names of the data's fields
 */
export function answer({ parse, stringify, toHtml, toText }, { blocks, resolvers = { mention: {}, file: {} } }) {
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
 * A tree as the data has it: lines and columns follow from the offsets.
 *
 * @param {import('../../src/index.js').AnyNode} node - a node of a parsed tree
 * @returns {object} the same, with `position: [start, end]` after its other fields
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
 * @param {{ chapter: string, name: string, blocks: string[] }[]} cases - those of the data
 * @returns {string[]} what it gets wrong, and the number of cases where that is nothing
 */
export function check(blockmark, cases) {
  const failures = cases.flatMap((each) =>
    Object.entries(answer(blockmark, each))
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(each[name] ?? each.blocks))
      .map(([name]) => `${each.chapter} ${each.name}: ${name}`),
  )
  return failures.length > 0 ? failures : [`${cases.length} cases pass`]
}
