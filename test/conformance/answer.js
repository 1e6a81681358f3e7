/** What an implementation makes of one case of the conformance data. In JavaScript without types, for every runtime. */

/**
 * Answers a case.
 *
 * @param {typeof import('../../src/index.js')} blockmark - the implementation
 * @param {{ blocks: string[], resolvers?: import('../fixtures/resolvers.js').Answers }} question - what goes in
 * @returns what comes out, by the names that the data has for it
 */
export function answer({ parse, toHtml, toText }, { blocks, resolvers = { mention: {}, file: {} } }) {
  const options = {
    mention: (id) => (Object.hasOwn(resolvers.mention, id) ? resolvers.mention[id] : undefined),
    file: (id) => (Object.hasOwn(resolvers.file, id) ? resolvers.file[id] : undefined),
  }
  return { trees: blocks.map((block) => parse(block)), html: toHtml(blocks, options), text: toText(blocks, options) }
}
