/** The library with its peer dependencies: the lowest versions, the highest, and those that other packages bring. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { isThorough } from '../amount.js'
import neighbors from '../install/package.json' with { type: 'json' }
import lowest from '../peers/package.json' with { type: 'json' }
import { isInstalled, outputOf } from './managers.js'
import { compiled, highest, openProjects, type Projects } from './project.js'

let projects: Projects

beforeAll(async () => {
  projects = await openProjects()
})

afterAll(() => projects.close())

const program = `import { stringify } from 'blockmark'
import { anySource } from 'blockmark/arbitraries'
import { fromMarkdown, toMarkdown } from 'blockmark/markdown'
import { blockmarkStringify, remarkBlockmark } from 'blockmark/unified'
import { assert, property } from 'fast-check'
import type { Root } from 'mdast'
import { unified } from 'unified'

const { tree, diagnostics } = fromMarkdown('### a\\n\\n| b |\\n|---|\\n| ~~c~~ |')
assert(property(anySource, (source: string) => typeof source === 'string'))
const emphasis: Root = {
  type: 'root',
  children: [{ type: 'paragraph', children: [{ type: 'emphasis', children: [{ type: 'text', value: 'd' }] }] }],
}
const processor = unified().use(remarkBlockmark).use(blockmarkStringify)
const written: string = processor.stringify(processor.runSync(emphasis))
console.log([stringify(tree), toMarkdown(tree), ...diagnostics.map(({ ruleId }) => ruleId), written].join('\\n\\n'))
`

const printed = `**a**

\`\`\`
b
-
c
\`\`\`

**a**

\`\`\`
b
-
c
\`\`\`

heading-depth

table

*d*

`

/** Compiles the program with every check, and runs it. */
async function tryProgram(folder: string): Promise<void> {
  writeFileSync(join(folder, 'program.ts'), program)
  expect(await compiled(folder, ['--module', 'nodenext', 'program.ts'])).toBe('')
  expect(await compiled(folder, ['--module', 'esnext', '--moduleResolution', 'bundler', 'program.ts'])).toBe('')
  writeFileSync(join(folder, 'program.js'), (await transform(program, { loader: 'ts' })).code)
  expect(await outputOf(process.execPath, ['program.js'], folder)).toEqual({ code: 0, stdout: printed, stderr: '' })
}

/** Returns the versions of a package that are installed at any depth of a folder. */
function versionsOf(name: string, folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const manifests = inside.filter((path) => path.endsWith(join('node_modules', name, 'package.json')))
  return manifests.map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')).version)
}

test.skipIf(!isThorough || !isInstalled('peers'))(
  'the lowest versions (if CI is set; npm --prefix test/peers ci installs them)',
  async () => {
    const { folder, npm } = await projects.install('lowest', lowest.dependencies)
    expect(npm).toMatchObject({ code: 0, stderr: '' })
    for (const [name, version] of Object.entries(lowest.dependencies)) {
      expect([name, versionsOf(name, folder)]).toEqual([name, [version]])
    }
    await tryProgram(folder)
  },
)

test.runIf(isThorough)('the highest versions (if CI is set)', async () => {
  const { folder, npm } = await projects.install('highest', highest)
  expect(npm).toMatchObject({ code: 0, stderr: '' })
  await tryProgram(folder)
})

test.skipIf(!isThorough || !isInstalled())(
  'react-markdown (if CI is set; npm --prefix test/install ci installs it)',
  async () => {
    const { react, 'react-dom': dom } = manifest.devDependencies
    const versions = {
      ...highest,
      react,
      'react-dom': dom,
      'react-markdown': neighbors.dependencies['react-markdown'],
    }
    const { folder, npm } = await projects.install('react', versions)
    expect(npm).toMatchObject({ code: 0, stderr: '' })
    // Neither package forces an older parser on the other.
    const parser = 'mdast-util-from-markdown'
    expect(versionsOf(parser, folder)).toEqual([highest[parser]])
    await tryProgram(folder)
    const program = `import { toMarkdown } from 'blockmark/markdown'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
console.log(renderToStaticMarkup(createElement(Markdown, null, toMarkdown('# _a_'))))
`
    writeFileSync(join(folder, 'program.js'), program)
    expect((await outputOf(process.execPath, ['program.js'], folder)).stdout).toBe('<h1><em>a</em></h1>\n')
  },
)
