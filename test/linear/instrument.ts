/**
 * Instruments the package's source: every function and every loop starts with a step, and built-ins that read more than a
 * few characters are called by their counted names (`costs.ts`). A call without a known cost is an error, so that nothing
 * is left uncounted.
 */
import type { Node } from 'oxc-parser'
import { lineAt, nodesOf, type SourceFile } from '../source.js'
import { countedFunctions, freeFunctions, freeMethods, isCounted } from './costs.js'

/** The functions that the package declares, by the form of their calls. */
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
          // A parameter: the function that is passed counts its own steps.
          if (node.typeAnnotation?.typeAnnotation.type === 'TSFunctionType') functions.add(node.name)
      }
    }
  }
  return { methods, functions }
}

interface Edit {
  readonly at: number
  /** The order of edits at the same position: the lower one comes first. */
  readonly order: number
  readonly insert: string
}

/** Instruments a file. `costsPath` is the path by which it imports the costs. */
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

/** Instruments a file of a dependency: only functions and loops. `built-ins.ts` counts the work of built-ins. */
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
  // At most one error is created.
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
