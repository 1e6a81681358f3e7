/**
 * How much memory is kept between calls? A fresh process for each module, what its heap and typed arrays hold after everything
 * was read, more than those of a process with an empty module. What the engine compiled, and learned to compile it better,
 * is shown beside that: it drops that as it likes.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { corpusNames, makeCorpus } from './corpora.js'
import { libraryUrl, renderEntry } from './modules.js'
import type { Amount, Answer } from './question.js'
import { bundle } from './size.js'
import { at } from './statistics.js'
import { printTable } from './table.js'

/** What is in use, in bytes. */
interface Kept {
  compiled: number
  /** Everything else. */
  other: number
}

/** In bytes, of what is not compiled. */
const atMost = 400_000

const stages: readonly string[] = [
  'after the import',
  'after all corpora',
  'after one message of 100 KB',
  'after one of 10 MB',
]

/**
 * Answers for the whole core and for the reading half.
 *
 * @param before - a folder that holds an older build of this package, which is asked too
 */
export async function keptMemory(amount: Amount, before: string | null): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  try {
    const files = writeMessages(folder, amount)
    const empty = measure(fileURLToPath(new URL('empty.js', import.meta.url)), folder, files)
    const rows = (await modulesIn(folder, before)).map(([name, module]) => {
      const kept = measure(module, folder, files).map(({ compiled, other }, stage) => ({
        compiled: compiled - at(empty, stage).compiled,
        other: other - at(empty, stage).other,
      }))
      return { name, kept }
    })
    print(rows)
    const [half] = rows
    const reached = Math.max(...(half?.kept ?? []).map(({ other }) => other))
    return { figures: [{ name: 'memory kept by the reading half', reached, atMost, unit: 'bytes' }], details: rows }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** All messages of all corpora in one file, then one long message in each. */
function writeMessages(folder: string, amount: Amount): string[] {
  const [share, lengths] = amount === 'full' ? [1, [100_000, 10_000_000]] : [0.03, [10_000, 100_000]]
  const files = [
    corpusNames.flatMap((name) => makeCorpus(name, share).messages),
    ...lengths.map((each) => [long(each)]),
  ]
  return files.map((messages, index) => {
    const file = join(folder, `${index}.json`)
    writeFileSync(file, JSON.stringify(messages))
    return file
  })
}

/** Posts one behind the other. */
function long(length: number): string {
  const posts = makeCorpus('post', 1).messages
  let message = ''
  for (let index = 0; message.length < length; index += 1) message += `${at(posts, index % posts.length)}\n\n`
  return message
}

/** Where this package has no `blockmark/render`, a bundle of what stands for it. */
async function modulesIn(folder: string, before: string | null): Promise<(readonly [name: string, module: string])[]> {
  const half = async (library: string): Promise<string> => {
    const file = join(mkdtempSync(join(folder, 'half-')), 'half.mjs')
    writeFileSync(file, await bundle(`export { parse, toHtml } from ${JSON.stringify(library)}`))
    return file
  }
  const library = fileURLToPath(libraryUrl)
  const render = renderEntry()
  const modules: (readonly [name: string, module: string])[] = [
    render === null
      ? ['blockmark: parse, toHtml, bundled', await half(library)]
      : ['blockmark/render', fileURLToPath(render)],
    ['blockmark', library],
  ]
  if (before === null) return modules
  const old = join(before, 'dist', 'index.js')
  return [...modules, ['before: parse, toHtml, bundled', await half(old)], ['before', old]]
}

function measure(module: string, folder: string, files: readonly string[]): Kept[] {
  const program = fileURLToPath(new URL('kept-of-one.js', import.meta.url))
  const place = mkdtempSync(join(folder, 'heap-'))
  execFileSync(process.execPath, [program, module, place, ...files])
  return stages.map((_, stage) => sumOf(readFileSync(join(place, `${stage}.heapsnapshot`), 'utf8')))
}

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [kinds: string[], ...unknown[]] } }
  /** Of each node its fields, in a row. */
  nodes: number[]
}

/** Sums up what is in a snapshot: only what can be reached, typed arrays included. */
function sumOf(text: string): Kept {
  const { snapshot, nodes }: Snapshot = JSON.parse(text)
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [kind, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const compiledKind = types[0].indexOf('code')
  const kept: Kept = { compiled: 0, other: 0 }
  for (let node = 0; node < nodes.length; node += fields.length)
    kept[at(nodes, node + kind) === compiledKind ? 'compiled' : 'other'] += at(nodes, node + size)
  return kept
}

function print(rows: readonly { name: string; kept: readonly Kept[] }[]): void {
  const text = (bytes: number) => (bytes / 1_000).toFixed(0)
  printTable(
    'Memory kept, in thousands of bytes, and how much more for what was compiled',
    ['module', ...stages],
    rows.map(({ name, kept }) => [name, ...kept.map(({ compiled, other }) => `${text(other)} + ${text(compiled)}`)]),
  )
}
