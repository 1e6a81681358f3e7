/** `blockmark lint` and `blockmark explain` as users run them: the installed program, in a separate process. */

import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { withPictures } from '../src/describe.js'
import { explain, lint } from '../src/lint/index.js'

const { folder } = inject('installed')
const program = join(folder, 'node_modules', '.bin', 'blockmark')
const messages = join(folder, 'checked')

const wrong = '### Known ~~problems~~\r\n- the login page\r\n- `a` and `b\r\n\r\n<!here|here>\r\n'
const right = '## Known -problems-\r\n* the login page\r\n* `a` and `b\r\n\r\n<!here|here>\r\n'
const fine = 'call my_var now, _please_\n'

mkdirSync(messages)

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

function blockmark(words: readonly string[], input = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(program, words, { cwd: messages }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end(input)
  })
}

/** Each test has separate files, because one test writes to them. */
function write(name: string, content: string): string {
  writeFileSync(join(messages, name), content)
  return name
}

function read(name: string): string {
  return readFileSync(join(messages, name), 'utf8')
}

describe.concurrent('lint', () => {
  test('prints a line for each diagnostic, and exits with 1', async () => {
    const lines = `${write('report.md', wrong)}:1:1: \`###\` does not start a heading here: use \`#\` or \`##\`. (heading-depth)
report.md:1:11: \`~~\` does not strike text through here: write \`-x-\`. (strikethrough)
report.md:2:1: \`-\` does not start a list item here: use \`*\` and a space. (bullet)
report.md:3:1: \`-\` does not start a list item here: use \`*\` and a space. (bullet)
report.md:3:11: This backtick is text: it has no closing partner. (unclosed-marker)
report.md:5:1: \`<!here|here>\` works only in Slack: it does not notify people or link to a channel here. (slack-reference)
`
    expect(await blockmark(['lint', 'report.md'])).toEqual({ code: 1, stdout: lines, stderr: '' })
    expect(read('report.md')).toBe(wrong)
    const { code, stdout } = await blockmark(['lint'], '### x')
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^standard input:1:1: /) })
  })

  test('prints nothing about a correct file, and exits with 0', async () => {
    expect(await blockmark(['lint', write('fine.md', fine)])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('--json prints the diagnostics of lint', async () => {
    write('json.md', wrong)
    const { code, stdout } = await blockmark(['lint', '--json', 'json.md'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual([{ path: 'json.md', messages: lint(wrong) }])
  })

  test('reads the .md files of a folder, and files that match a pattern', async () => {
    mkdirSync(join(messages, 'all/inner'), { recursive: true })
    mkdirSync(join(messages, 'all/node_modules'))
    for (const name of ['b.md', 'inner/a.md', 'inner/c.txt', 'node_modules/d.md']) write(`all/${name}`, '### x\n')
    const namesOf = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await blockmark(['lint', '--json', ...words])
      return JSON.parse(stdout).map(({ path }: { path: string }) => path)
    }
    expect(await namesOf('all')).toEqual(['all/b.md', 'all/inner/a.md'])
    expect(await namesOf('all/**/*.md')).toEqual(['all/b.md', 'all/inner/a.md'])
    expect(await namesOf('all/*/?.*')).toEqual(['all/inner/a.md', 'all/inner/c.txt'])
    mkdirSync(join(messages, 'empty'))
    expect(await blockmark(['lint', 'empty', 'none/*.md'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'blockmark: empty: has no .md file\nblockmark: none/*.md: no file fits\n',
    })
  })

  test('--explain prints the section of a rule', async () => {
    const { code, stdout } = await blockmark(['lint', '--explain', 'heading-depth'])
    const note = 'A heading has one or two `#` (§2.3). In CommonMark it may have up to six.'
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `heading-depth: ${note}\n--fix corrects it if the result is certain.\n`,
    })
  })

  test('control characters are shown as pictures on a terminal', () => {
    expect(withPictures('a\u001B]0;x\u0007\r\n\tb\rc\u007F\u009B')).toBe('a␛]0;x␇\r\n\tb␍c␡\uFFFD')
  })

  test('--off switches rules off', async () => {
    write('off.md', wrong)
    const { stdout } = await blockmark(['lint', '--json', '--off', 'bullet', '--off=heading-depth', 'off.md'])
    expect(JSON.parse(stdout)[0].messages).toEqual(lint(wrong, { rules: { bullet: false, 'heading-depth': false } }))
    const { code, stderr } = await blockmark(['lint', '--off', 'bulet', 'off.md'])
    expect(code).toBe(2)
    expect(stderr).toContain('bullet')
  })

  test('--fix writes certain replacements and reports the rest', async () => {
    write('fix.md', `\uFEFF${wrong}`)
    const { code, stdout } = await blockmark(['lint', '--fix', 'fix.md'])
    expect(read('fix.md')).toBe(`\uFEFF${right}`)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^fix\.md:3:11: [^\n]*\nfix\.md:5:1: [^\n]*\n$/)
    write('fixed.md', '- [ ] all\n')
    expect(await blockmark(['lint', '--fix', 'fixed.md'])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(read('fixed.md')).toBe('* [ ] all\n')
    write('side-by-side.md', '<http://a.b><http://c.d><b>e</b>\n')
    await blockmark(['lint', '--fix', 'side-by-side.md'])
    expect(read('side-by-side.md')).toBe('http://a.b<http://c.d>**e**\n')
  })

  test('--fix of standard input writes to standard output, and reports to standard error', async () => {
    const { code, stdout, stderr } = await blockmark(['lint', '--fix', '-'], wrong)
    expect({ code, stdout }).toEqual({ code: 1, stdout: right })
    expect(stderr).toMatch(/^standard input:3:11: /)
  })

  test('an unreadable file is named, the others are checked, and the exit code is 2', async () => {
    write('other.md', wrong)
    const { code, stdout, stderr } = await blockmark(['lint', 'absent.md', 'other.md'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'blockmark: absent.md: no such file\n' })
    expect(stdout).toMatch(/^other\.md:1:1: /)
    expect((await blockmark(['lint', 'other.md', 'absent.md'])).code).toBe(2)
  })

  test('--help names every rule, in 100 columns', async () => {
    const { stdout } = await blockmark(['lint', '--help'])
    for (const rule of ['heading-depth', 'slack-reference', 'limit']) expect(stdout).toContain(rule)
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
  })
})

describe.concurrent('explain', () => {
  write('place.md', fine)

  test('reads standard input once for several positions', async () => {
    const { code, stdout, stderr } = await blockmark(['explain', '1:1', '1:11'], 'call snake_case')
    expect([code, stderr, stdout.match(/^1 \| call snake_case$/gm)?.length]).toEqual([0, '', 2])
  })

  test('shows the line with the position, and every reason', async () => {
    const source = '# a\r\n日本 snake_case\r\n'
    write('explain.md', source)
    const { code, stdout, stderr } = await blockmark(['explain', 'explain.md:2:9'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const reasons = explain(source, 13)
    expect(reasons.length).toBeGreaterThan(2)
    const lines = ['2 | 日本 snake_case', `${' '.repeat(4 + 10)}^`, ...reasons.map(({ section }) => section)]
    for (const [index, line] of stdout.trimEnd().split('\n').entries()) expect(line).toContain(lines[index])
    expect(stdout).toContain('This `_` cannot open: it follows the letter `e`. (2:9-2:10)')
  })

  test('--json prints the reasons of explain; without a file, it reads standard input', async () => {
    for (const place of [['1:6'], ['--', '-:1:6']]) {
      const { stdout } = await blockmark(['explain', '--json', ...place], 'snake_case')
      expect(JSON.parse(stdout)).toEqual(explain('snake_case', 5))
    }
  })

  test.each([
    [2, 'no position given, for example message.md:1:5; see blockmark explain --help', ['explain']],
    [2, 'place.md is not a position: expected LINE:COLUMN, for example message.md:1:5', ['explain', 'place.md']],
    [1, 'place.md: has no line 3, only 2', ['explain', 'place.md:3:1']],
    [1, 'place.md: line 1 has no column 99, only 26', ['explain', 'place.md:1:99']],
    [1, 'absent.md: no such file', ['explain', 'absent.md:1:1']],
  ])('exits with %i: %s', async (code, message, words) => {
    expect(await blockmark(words)).toEqual({ code, stdout: '', stderr: `blockmark: ${message}\n` })
  })
})
