/** What an implementation makes of one case of the conformance data. In JavaScript without types, for every runtime. */

/**
 * Answers a case.
 *
 * @param {typeof import('../../src/index.js')} blockmark - the implementation
 * @param {{ blocks: string[], resolvers?: import('../fixtures/resolvers.js').Answers }} question - what goes in
 * @returns what comes out, by the names that the data has for it
 */
export function answer({ parse, stringify, toHtml, toText }, { blocks, resolvers = { mention: {}, file: {} } }) {
  const options = {
    mention: (id) => (Object.hasOwn(resolvers.mention, id) ? resolvers.mention[id] : undefined),
    file: (id) => (Object.hasOwn(resolvers.file, id) ? resolvers.file[id] : undefined),
  }
  return {
    trees: blocks.map((block) => parse(block)),
    html: toHtml(blocks, options),
    text: toText(blocks, options),
    dialect: blocks.map((block) => stringify(parse(block))),
  }
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
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(each[name]))
      .map(([name]) => `${each.chapter} ${each.name}: ${name}`),
  )
  return failures.length > 0 ? failures : [`${cases.length} cases pass`]
}
