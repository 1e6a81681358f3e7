/**
 * Puts counting into the package's source: a step at the top of every function and every loop, and the built-ins that
 * look at more than a few characters by their counted names (`costs.ts`). What has no known cost is refused, so that
 * nothing goes uncounted.
 */
import type { Node } from 'oxc-parser'
import { lineAt, nodesOf, type SourceFile } from '../source.js'
import { countedFunctions, freeFunctions, freeMethods, isCounted } from './costs.js'

/** The functions that the package declares, by the ways of calling them. */
export interface OwnNames {
  readonly methods: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
}

/** The names that are declared in some files. */
export function ownNamesOf(files: readonly SourceFile[]): OwnNames {
  const methods = new Set<string>()
  const functions = new Set<string>()
  for (const { program } of files) {
    for (const node of nodesOf(program)) {
      switch (node.type) {
        case 'MethodDefinition':
        case 'TSMethodSignature':
        case 'TSPropertySignature':
          if (node.key.type === 'Identifier') methods.add(node.key.name)
          break
        case 'FunctionDeclaration':
        case 'ClassDeclaration':
          if (node.id !== null) functions.add(node.id.name)
          break
        case 'VariableDeclarator':
          if (node.init?.type === 'ArrowFunctionExpression' && node.id.type === 'Identifier')
            functions.add(node.id.name)
          break
        case 'Identifier':
          // A parameter: its function counts where it is written.
          if (node.typeAnnotation?.typeAnnotation.type === 'TSFunctionType') functions.add(node.name)
      }
    }
  }
  return { methods, functions }
}

interface Edit {
  readonly at: number
  /** Of edits at one place, the lower one comes first. */
  readonly order: number
  readonly insert: string
}

/** A file with counting in it. `costsPath` is what it imports the costs by. */
export function instrument(file: SourceFile, own: OwnNames, costsPath: string): string {
  const edits: Edit[] = []
  const open = (at: number, insert: string): void => void edits.push({ at, order: edits.length, insert })
  // A node that starts later ends earlier.
  const close = (at: number, insert: string): void => void edits.push({ at, order: -edits.length, insert })
  for (const node of nodesOf(file.program)) {
    countTurns(node, open, close)
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression':
        countCall(node, file, own, open, close)
        break
      case 'ArrayExpression':
        for (const element of node.elements) {
          if (element?.type !== 'SpreadElement') continue
          open(element.argument.start, '$paid(')
          close(element.argument.end, ')')
        }
        break
      case 'TaggedTemplateExpression':
      case 'YieldExpression':
      case 'AwaitExpression':
        throw uncounted(node, file)
    }
  }
  const header = `import { meter as $meter, paid as $paid } from ${JSON.stringify(costsPath)};`
  return header + applied(file.text, edits)
}

/** A file with counting at the top of every function and every loop; what built-ins take is counted by `built-ins.ts`. */
export function instrumentLoosely(file: SourceFile, costsPath: string): string {
  const edits: Edit[] = []
  const open = (at: number, insert: string): void => void edits.push({ at, order: edits.length, insert })
  const close = (at: number, insert: string): void => void edits.push({ at, order: -edits.length, insert })
  for (const node of nodesOf(file.program)) countTurns(node, open, close)
  return `import { meter as $meter } from ${JSON.stringify(costsPath)};${applied(file.text, edits)}`
}

function countTurns(node: Node, open: Insert, close: Insert): void {
  switch (node.type) {
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      countStatement(node.body, open, close)
      break
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      if (node.body !== null) open(node.body.start + 1, ' $meter.steps += 1;')
      break
    case 'ArrowFunctionExpression':
      countArrow(node.body, open, close)
  }
}

type Insert = (at: number, text: string) => void

function countStatement(body: Node, open: Insert, close: Insert): void {
  if (body.type === 'BlockStatement') {
    open(body.start + 1, ' $meter.steps += 1;')
  } else {
    open(body.start, '{ $meter.steps += 1; ')
    close(body.end, '}')
  }
}

function countArrow(body: Node, open: Insert, close: Insert): void {
  if (body.type === 'BlockStatement') {
    open(body.start + 1, ' $meter.steps += 1;')
  } else {
    open(body.start, '($meter.steps += 1, ')
    close(body.end, ')')
  }
}

function countCall(
  node: Extract<Node, { type: 'CallExpression' | 'NewExpression' }>,
  file: SourceFile,
  own: OwnNames,
  open: Insert,
  close: Insert,
): void {
  const { callee } = node
  if (node.arguments.some((argument) => argument.type === 'SpreadElement')) throw uncounted(node, file)
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && !callee.computed) {
    const { name } = callee.property
    const kinds = [own.methods.has(name), isCounted(name), freeMethods.includes(name)].filter(Boolean).length
    if (kinds !== 1) throw uncounted(node, file)
    if (isCounted(name)) open(callee.property.start, '$')
    return
  }
  // An error is made once at most.
  if (callee.type === 'Super') return
  if (callee.type !== 'Identifier') throw uncounted(node, file)
  if (own.functions.has(callee.name) || freeFunctions.includes(callee.name)) return
  const [argument] = node.arguments
  if (!countedFunctions.includes(callee.name) || argument === undefined) throw uncounted(node, file)
  open(argument.start, '$paid(')
  close(argument.end, ')')
}

function uncounted(node: Node, { path, text }: SourceFile): Error {
  const code = text.slice(node.start, node.end)
  return new Error(`${path}:${lineAt(text, node.start)} has no known cost (test/linear/costs.ts): ${code}`)
}

function applied(text: string, edits: Edit[]): string {
  edits.sort((left, right) => left.at - right.at || left.order - right.order)
  let result = ''
  let from = 0
  for (const { at, insert } of edits) {
    result += text.slice(from, at) + insert
    from = at
  }
  return result + text.slice(from)
}
