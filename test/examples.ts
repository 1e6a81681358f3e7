/** Runs the examples of the documentation and compares each `// =>` with the value of the code before it. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { Comment, Node } from 'oxc-parser'
import { lineAt, nodesOf, parseTypeScript, type SourceFile, top } from './source.js'

/** An example of TypeScript in the documentation. */
export interface Example {
  /** The file of the example, relative to the project's folder. */
  path: string
  /** The line of the example's first line in the file. */
  line: number
  code: string
}

/** The value that an example expects, and the actual value. */
export interface Comparison {
  line: number
  actual: unknown
  expected: unknown
}

/** Finds the fenced code of Markdown whose info string begins with `ts`. */
export function examplesOfMarkdown(path: string, markdown: string): Example[] {
  const examples: Example[] = []
  let open: { fence: string; info: string; line: number; code: string[] } | null = null
  for (const [index, text] of markdown.split('\n').entries()) {
    const [, fence = '', info = ''] = /^(`{3,})\s*(\S*)/.exec(text) ?? []
    if (open === null) {
      if (fence !== '') open = { fence, info, line: index + 2, code: [] }
    } else if (fence.startsWith(open.fence) && info === '') {
      if (open.info === 'ts') examples.push({ path, line: open.line, code: open.code.join('\n') })
      open = null
    } else open.code.push(text)
  }
  return examples
}

/** Finds the `@example` parts of a file's comments; each ends at the next tag. */
export function examplesOfSource({ path, text, comments }: SourceFile): Example[] {
  return comments.flatMap((comment) => {
    if (comment.type !== 'Block' || !comment.value.startsWith('*')) return []
    const lines = comment.value.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
    return lines.flatMap((line, index) => {
      if (!line.startsWith('@example')) return []
      const rest = lines.slice(index + 1)
      const end = rest.findIndex((later) => /^@\w/.test(later))
      const code = rest.slice(0, end === -1 ? rest.length : end).join('\n')
      return [{ path, line: lineAt(text, comment.start) + index + 1, code: code.trimEnd() }]
    })
  })
}

/**
 * Runs an example. It can use the exports of the package and of its own file, and `createTestService`, without an import.
 *
 * @param example - the example
 * @returns its comparisons, in the order of execution
 * @throws {Error} if it cannot run, if a `// =>` has no value before it, or if a value is never reached
 */
export async function run(example: Example): Promise<Comparison[]> {
  const { name, source, lines } = await moduleOf(example)
  const comparisons = await execute(name, source)
  const reached = new Set(comparisons.map(({ line }) => line))
  const missed = lines.filter((line) => !reached.has(line))
  if (missed.length > 0) throw new Error(`${name}: never reached: line ${missed.join(', ')} of the example`)
  return comparisons.map((comparison) => ({ ...comparison, line: example.line + comparison.line - 1 }))
}

/** Converts an example to a module that exports its comparisons as `comparisons__`, on the same lines. */
export async function moduleOf(example: Example): Promise<{ name: string; source: string; lines: number[] }> {
  const name = `${example.path}:${example.line}`
  const { code, lines } = instrument(name, example.code)
  return { name, source: `${await prelude(name, example)}\nexport const comparisons__ = []\n${code}`, lines }
}

interface Edit {
  start: number
  end: number
  text: string
}

/**
 * Compiles examples with strict settings.
 *
 * @param examples - the examples
 * @returns the compiler's output, each line with the example's file and line; '' if there are no errors
 */
export async function compile(examples: readonly Example[]): Promise<string> {
  return inFolder(async (folder) => {
    const paths = Object.fromEntries(Object.keys(packageExports()).map((name) => [name, [sourceOf(name)]]))
    // Types of the DOM, which highlight.js refers to, repeat names of `src/server/files/aws4fetch.d.ts`.
    const lenient = {
      useUnknownInCatchVariables: false,
      noUnusedLocals: false,
      isolatedDeclarations: false,
      skipLibCheck: true,
    }
    const compilerOptions = { ...lenient, paths, allowImportingTsExtensions: true }
    const settings = {
      extends: join(top, 'tsconfig.json'),
      compilerOptions,
      include: ['.', join(top, 'src/**/*.d.ts')],
      exclude: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    for (const [index, example] of examples.entries()) {
      const name = `${example.path.replaceAll('/', '-')}-${example.line}`
      writeFileSync(join(folder, `${name}-${index}.mts`), `${await prelude(name, example)}${example.code}\nexport {}\n`)
    }
    const compiler = join(top, 'node_modules', 'typescript', 'bin', 'tsc')
    return spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' }).stdout
  })
}

/** Replaces each statement that a `// =>` follows with a comparison. */
function instrument(name: string, code: string): { code: string; lines: number[] } {
  const { program, comments } = parseTypeScript(name, code)
  const statements = [...nodesOf(program)].filter(({ type }) => /(?:Statement|Declaration)$/.test(type))
  const expectations = comments.filter(({ type, value }) => type === 'Line' && /^\s*=>/.test(value))
  const edits = expectations.map((comment) => {
    const line = lineAt(code, comment.start)
    const expected = expectedBy(name, code, comment, comments)
    const ended = statements.filter(
      ({ end }) => end <= comment.start && /^[\s;]*$/.test(code.slice(end, comment.start)),
    )
    // If several statements end at the same position, the last one is the innermost.
    const statement = ended.at(-1)
    if (statement === undefined) throw new Error(`${name}: no statement before // => on line ${line} of the example`)
    return compare(`${name}, line ${line}`, code, statement, line, expected)
  })
  let instrumented = code
  for (const { start, end, text } of edits.sort((one, other) => other.start - one.start)) {
    instrumented = instrumented.slice(0, start) + text + instrumented.slice(end)
  }
  return { code: instrumented, lines: expectations.map(({ start }) => lineAt(code, start)) }
}

/** Parses the expected value: an expression, which may continue in the comments on the next lines, or `throws` and an error. */
function expectedBy(name: string, code: string, comment: Comment, comments: readonly Comment[]): string {
  let expected = comment.value.replace(/^\s*=>\s*/, '')
  let end = comment.end
  for (const next of comments.slice(comments.indexOf(comment))) {
    if (next !== comment) {
      if (next.type !== 'Line' || !/^\n[ \t]*$/.test(code.slice(end, next.start))) break
      expected += `\n${next.value}`
      end = next.end
    }
    if (/^throws \w+/.test(expected) || isExpression(expected)) return expected
  }
  throw new SyntaxError(`${name}: // => needs an expression: ${expected}`)
}

function isExpression(text: string): boolean {
  try {
    return parseTypeScript('expected', `void (${text}\n)`).program.end > 0
  } catch {
    return false
  }
}

function compare(place: string, code: string, statement: Node, line: number, expected: string): Edit {
  const { start, end } = statement
  const [declaration, ...others] = statement.type === 'VariableDeclaration' ? statement.declarations : []
  if (declaration?.id.type === 'Identifier' && others.length === 0) {
    const push = `comparisons__.push({ line: ${line}, actual: ${declaration.id.name}, expected: (${expected}\n) })`
    return { start: end, end, text: `; ${push};` }
  }
  if (statement.type !== 'ExpressionStatement') throw new Error(`${place}: no value before // =>`)
  const value = code.slice(...rangeOfValue(statement.expression))
  if (!expected.startsWith('throws ')) {
    const push = `comparisons__.push({ line: ${line}, actual: (${value}\n), expected: (${expected}\n) })`
    return { start, end, text: `; ${push};` }
  }
  const error = JSON.stringify(expected.slice('throws '.length).trim())
  const caught = `catch (error) { comparisons__.push({ line: ${line}, actual: String(error), expected: ${error} }) }`
  return {
    start,
    end,
    text: `; try { (${value}\n); comparisons__.push({ line: ${line}, expected: ${error} }) } ${caught};`,
  }
}

/** `console.log(x)` is about x. */
function rangeOfValue(expression: Node): [start: number, end: number] {
  if (expression.type === 'CallExpression' && expression.callee.type === 'MemberExpression') {
    const { object, property } = expression.callee
    const isLog =
      object.type === 'Identifier' && object.name === 'console' && 'name' in property && property.name === 'log'
    const [argument, ...others] = expression.arguments
    if (isLog && argument !== undefined && others.length === 0) return [argument.start, argument.end]
  }
  return [expression.start, expression.end]
}

/** Adds imports for names that an example uses but neither imports nor declares. */
async function prelude(name: string, { path, code }: Example): Promise<string> {
  const nodes = [...nodesOf(parseTypeScript(name, code).program)]
  const used = new Set(nodes.map((node) => (node.type === 'Identifier' ? node.name : '')))
  const own = new Set(nodes.flatMap(namesDeclaredBy))
  const exportsOfPackage = Object.keys(await import('../src/index.js'))
  const exportsOfFile = path.endsWith('.ts') ? exportedNames(path) : []
  const importOf = (names: readonly string[], from: string): string => {
    const needed = names.filter((each) => used.has(each) && !own.has(each))
    return needed.length === 0 ? '' : `import { ${needed.join(', ')} } from ${JSON.stringify(from)};`
  }
  const onlyOfFile = exportsOfFile.filter((each) => !exportsOfPackage.includes(each))
  const ofTesting = onlyOfFile.includes('createTestService') ? [] : ['createTestService']
  return (
    importOf(exportsOfPackage, 'blockmark') +
    importOf(ofTesting, 'blockmark/testing') +
    importOf(onlyOfFile, join(top, path))
  )
}

function namesDeclaredBy(node: Node): string[] {
  if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name)
  const isDeclaration =
    node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration'
  if (!isDeclaration || node.id === null) return []
  // A property or an attribute with this name is not a use of the name.
  if (node.id.type === 'Identifier') return [node.id.name]
  return [...nodesOf(node.id)].flatMap((part) => (part.type === 'Identifier' ? [part.name] : []))
}

/** Returns the values that a file declares and exports, without types. */
function exportedNames(path: string): string[] {
  const { program } = parseTypeScript(path, readFileSync(join(top, path), 'utf8'))
  return [...nodesOf(program)].flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.exportKind === 'type' || node.declaration === null) return []
    if (node.declaration.type !== 'VariableDeclaration') return namesDeclaredBy(node.declaration)
    return node.declaration.declarations.flatMap(namesDeclaredBy)
  })
}

async function execute(name: string, source: string): Promise<Comparison[]> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: top, sourcefile: name, loader: 'ts' },
    bundle: true,
    packages: 'external',
    loader: { '.sql': 'text', '.css': 'text', '.md': 'text' },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    write: false,
    logLevel: 'silent',
    plugins: [packageIsSource],
  })
  return inFolder(async (folder) => {
    const file = join(folder, 'example.mjs')
    writeFileSync(file, outputFiles[0]?.text ?? '')
    const { comparisons__ }: { comparisons__: Comparison[] } = await import(/* @vite-ignore */ pathToFileURL(file).href)
    return comparisons__
  })
}

const packageIsSource: Plugin = {
  name: 'package-is-source',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^blockmark(?:-server)?(?:\/|$)/ }, ({ path }) => {
      if (Object.hasOwn(packageExports(), path)) return { path: sourceOf(path) }
      return { errors: [{ text: `the package exports no ${path}` }] }
    })
  },
}

/** The package's exports, for example `blockmark/unified`, with their declarations in `dist`. */
function packageExports(): Record<string, string> {
  const description = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  const exported = Object.entries<string | { types: string }>(description.exports)
  const names = exported.flatMap(([name, entry]) =>
    typeof entry === 'string' ? [] : [[join('blockmark', name), entry.types]],
  )
  return { ...Object.fromEntries(names), 'blockmark-server': './dist/server/index.d.ts' }
}

/** The file of `src` that an export is built from; its declarations are in the same place in `dist`. */
function sourceOf(name: string): string {
  const types = packageExports()[name] ?? ''
  return join(top, types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts'))
}

/** Creates a temporary folder in the project, so that the files in it find the packages that they import. */
async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const cache = join(top, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'example-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
