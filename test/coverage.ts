/** Finds the branches of the parser that a set of sources never takes. */

import { Session } from 'node:inspector/promises'
import { build } from 'esbuild'
import type { Root } from '../src/index.js'
import { top } from './source.js'

/**
 * Parses sources, and records the branches that run.
 *
 * @param sources - the sources
 * @returns each branch that none of them took: the function's name and the branch's code
 */
export async function branchesNotTaken(sources: readonly string[]): Promise<string[]> {
  const { outputFiles } = await build({
    stdin: { contents: `export { parse } from './src/parse/index.js'`, resolveDir: top, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    charset: 'utf8',
  })
  const code = outputFiles[0]?.text ?? ''
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const { parse }: { parse: (source: string, options?: { position: false }) => Root } = await import(
    /* @vite-ignore */ url
  )
  for (const source of sources) {
    parse(source)
    parse(source, { position: false })
  }
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const functions = result.find((script) => script.url === url)?.functions ?? []
  if (functions.length === 0) throw new Error('nothing was covered')
  return functions.flatMap(({ functionName, ranges }) =>
    ranges
      .filter(({ count }) => count === 0)
      .map(({ startOffset, endOffset }) => `${functionName}: ${code.slice(startOffset, endOffset).trim()}`),
  )
}
