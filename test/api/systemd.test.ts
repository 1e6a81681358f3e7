/** systemd accepts the unit of the server's README. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!isThere)('systemd-analyze finds no error in the unit (needs systemd)', () => {
  const readme = readFileSync(new URL('../../src/server/README.md', import.meta.url), 'utf8')
  const unit = /```ini\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const verify = (text: string): string => {
    const path = join(folder, 'blockmark.service')
    // On this machine, Node.js may be in another folder than in the unit.
    writeFileSync(path, text.replace('/usr/bin/node', process.execPath))
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    return (stdout + stderr)
      .split('\n')
      .filter((line) => line.includes('blockmark.service'))
      .join('\n')
  }
  expect(unit).toContain('ExecStart=/usr/bin/node ')
  expect(verify(unit)).toBe('')
  expect(verify(unit.replace('StateDirectory=', 'StateFolder='))).toContain('StateFolder')
  writeFileSync(join(folder, 'blockmark.service'), unit)
  const words = ['security', '--offline=true', join(folder, 'blockmark.service')]
  const { stdout } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  const [, exposure = '10'] = /exposure level for blockmark\.service: ([\d.]+)/.exec(stdout) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(4)
})
