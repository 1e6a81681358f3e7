/** The folders of `src` that are looked at, and the test files that speak of each. */

export interface Folder {
  tests: readonly string[]
  /** Further folders of `src` whose mutants are counted with it. */
  with?: readonly string[]
  /** How often a cheap property runs: 200 times where it is left out. */
  runs?: number
  /** Parts of the names of tests that are about another folder, and take long. */
  without?: readonly string[]
}

const chapters = ['test/fixtures.test.ts', 'test/reference.test.ts', 'test/unchanged.test.ts']

export const folders: Readonly<Record<string, Folder>> = {
  write: {
    tests: [
      ...chapters,
      'test/stringify.test.ts',
      'test/messages.test.ts',
      'test/properties/writing.test.ts',
      'test/small-trees.test.ts',
    ],
  },
  parse: {
    without: ['stringify and normalize of', 'a tree may be deep', 'no escape can be removed'],
    tests: [
      ...chapters,
      'test/positions.test.ts',
      'test/commonmark.test.ts',
      'test/missing.test.ts',
      'test/names.test.ts',
      'test/render.test.ts',
      'test/stringify.test.ts',
      'test/explain.test.ts',
      'test/stream.test.ts',
      'test/differential.test.ts',
      'test/properties/parse.test.ts',
      'test/properties/html.test.ts',
      'test/properties/text.test.ts',
    ],
  },
  split: {
    runs: 4_000,
    tests: [
      'test/fixtures.test.ts',
      'test/splitting.test.ts',
      'test/unchanged.test.ts',
      'test/properties/splitting.test.ts',
      'test/properties/truncate.test.ts',
    ],
  },
  stream: { runs: 2_000, tests: ['test/stream.test.ts', 'test/unchanged.test.ts', 'test/properties/stream.test.ts'] },
  render: {
    tests: [
      ...chapters,
      'test/render.test.ts',
      'test/unified.test.ts',
      'test/properties/html.test.ts',
      'test/properties/text.test.ts',
    ],
  },
  check: {
    tests: [
      'test/fixtures.test.ts',
      'test/unchanged.test.ts',
      'test/lint.test.ts',
      'test/explain.test.ts',
      'test/validate.test.ts',
      'test/assert-tree.test.ts',
      'test/builders.test.ts',
      'test/stringify.test.ts',
      'test/errors.test.ts',
      'test/names.test.ts',
      'test/fixtures/format.test.ts',
    ],
  },
  author: {
    tests: [
      'test/builders.test.ts',
      'test/md.test.ts',
      'test/dialect-prompt.test.ts',
      'test/properties/template.test.ts',
    ],
  },
  'api/service': {
    with: ['api/store/memory'],
    tests: [
      'test/api/contract.test.ts',
      'test/api/errors.test.ts',
      'test/api/handler.test.ts',
      'test/api/rate.test.ts',
      'test/api/repeats.test.ts',
      'test/api/requests.test.ts',
      'test/api/responses.test.ts',
      'test/api/store.test.ts',
      'test/api/unchanged.test.ts',
      'test/api/uuid.test.ts',
      'test/client/endpoints.test.ts',
      'test/testing/service.test.ts',
    ],
  },
}

/**
 * Tests that are left out, by a part of their names: those that look at how long something takes, which fail where the machine is
 * slow, not only where the code is wrong; and those of the handler on another store or behind another program.
 */
export const without: readonly string[] = [
  'behind prism',
  '› on (?:embedded|PgBouncer|DATABASE_URL|Citus)',
  '^on (?:embedded|PgBouncer|DATABASE_URL|Citus)',
  'grows linearly',
  'nothing like 64 times as long',
  'without time that grows',
  'takes no time',
  'takes linear time',
  'is split in linear time',
  'lint takes time linear',
  'in time that grows with',
]
