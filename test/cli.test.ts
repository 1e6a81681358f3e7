/** The command line as users run it: the installed program, in a separate process. */

import { isUtf8 } from 'node:buffer'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DefaultTreeAdapterTypes, html as htmlNames, parseFragment, parse as parseHtml, serialize } from 'parse5'
import { describe, expect, inject, test } from 'vitest'
import { dialectVersion, parse, toHast, toHtml, toText } from '../src/index.js'
import { invalidByteAt } from '../src/terminal/input.js'
import { nearestWord } from '../src/terminal/nearest.js'

const { folder } = inject('installed')
const program = join(folder, 'node_modules', '.bin', 'blockmark')
const messages = join(folder, 'messages')

const first = "# Deploy of `api` & <web>\n\n**Done:** _all_ of <@17|Ann>'s\n* -one-\n* https://example.com/a_b"
const second = 'no heading: ✓ 日本語 مرحبا\n\n## A second one\n```js\nlet x = "<"\n```\n'
const big = 'a line with **some** _words_ in it\n\n'.repeat(40_000)

mkdirSync(messages)
const files: Readonly<Record<string, string | Uint8Array>> = {
  'first.md': first,
  'second.md': second,
  'empty.md': '',
  'marked.md': '\uFEFF# Marked \uFEFF',
  '-dash.md': 'a dash',
  'latin.md': Buffer.from('café au lait', 'latin1'),
  'cut.md': Buffer.from('a €').subarray(0, 4),
  'sixteen.md': Buffer.from('\uFEFFhello', 'utf16le'),
  'big.md': big,
}
for (const [name, content] of Object.entries(files)) writeFileSync(join(messages, name), content)

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

function blockmark(...words: string[]): Promise<Outcome> {
  return outcomeOf(start(words))
}

function blockmarkReading(input: string | Uint8Array, ...words: string[]): Promise<Outcome> {
  const child = start(words)
  child.stdin?.end(input)
  return outcomeOf(child)
}

/** Runs a pipeline or a redirection as typed; `"$0"` is the program. */
function shell(line: string): Promise<Outcome> {
  return outcomeOf(spawn('sh', ['-c', line, program], { cwd: messages }))
}

function start(words: readonly string[]): ChildProcess {
  return spawn(program, words, { cwd: messages })
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [code, stdout, stderr] = await Promise.all([ended, textOf(child.stdout), textOf(child.stderr)])
  return { code, stdout, stderr }
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

function good(stdout: string): Outcome {
  return { code: 0, stdout, stderr: '' }
}

function bad(code: number, ...lines: string[]): Outcome {
  return { code, stdout: '', stderr: lines.map((line) => `blockmark: ${line}\n`).join('') }
}

describe.concurrent('help and version', () => {
  test('--version and -v print the version of the package, and of the dialect', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await blockmark('--version')).toEqual(good(`${version} (dialect ${dialectVersion})\n`))
    expect(await blockmark('-v')).toEqual(good(`${version} (dialect ${dialectVersion})\n`))
  })

  test('--help, -h and help list the commands', async () => {
    const { code, stdout, stderr } = await blockmark('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: blockmark COMMAND .*\n\nCommands:\n {2}render {2,}\S/)
    expect(await blockmark('-h')).toEqual(good(stdout))
    expect(await blockmark('help')).toEqual(good(stdout))
  })

  test("a command's help names each of its options, with --help in any position", async () => {
    const { code, stdout, stderr } = await blockmark('render', '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: blockmark render /)
    for (const option of ['--to FORMAT', '--page', '--lang TAG', '-q, --quiet', '-h, --help']) {
      expect(stdout).toContain(`  ${option} `)
    }
    expect(await blockmark('help', 'render')).toEqual(good(stdout))
    expect(await blockmark('render', 'absent.md', '-h')).toEqual(good(stdout))
  })

  test('help fits a terminal of 100 columns', async () => {
    const { stdout } = await blockmark('render', '--help')
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
  })
})

describe.concurrent('formats', () => {
  const outputs = {
    html: `${toHtml(first)}\n`,
    text: `${toText(first)}\n`,
    json: `${JSON.stringify(parse(first), null, 2)}\n`,
    hast: `${JSON.stringify(toHast(first), null, 2)}\n`,
    source: first,
  }

  test('HTML by default', async () => {
    expect(await blockmark('render', 'first.md')).toEqual(good(outputs.html))
  })

  test.each(Object.entries(outputs))('--to %s', async (format, output) => {
    expect(await blockmark('render', '--to', format, 'first.md')).toEqual(good(output))
    expect(await blockmark('render', 'first.md', `--to=${format}`)).toEqual(good(output))
  })

  test('several formats have headers, in the given order', async () => {
    const expected = `==> text <==\n${outputs.text}\n==> source <==\n${outputs.source}\n\n==> html <==\n${outputs.html}`
    expect(await blockmark('render', 'first.md', '--to', 'text', '--to', 'source', '--to', 'html')).toEqual(
      good(expected),
    )
  })

  test('an empty message gives no output', async () => {
    for (const format of ['html', 'text', 'source']) {
      expect(await blockmark('render', '--to', format, 'empty.md')).toEqual(good(''))
    }
  })
})

describe.concurrent('files', () => {
  test('several files have headers as in head(1)', async () => {
    const expected = `==> first.md <==\n${toHtml(first)}\n\n==> empty.md <==\n\n==> second.md <==\n${toHtml(second)}\n`
    expect(await blockmark('render', 'first.md', 'empty.md', 'second.md')).toEqual(good(expected))
  })

  test('several files in several formats have both in their headers', async () => {
    const { stdout } = await blockmark('render', '--to', 'text', '--to', 'source', 'first.md', 'second.md')
    expect(stdout.match(/^==> .* <==$/gm)).toEqual(
      ['first.md: text', 'first.md: source', 'second.md: text', 'second.md: source'].map((name) => `==> ${name} <==`),
    )
  })

  test('--quiet leaves the headers out', async () => {
    const expected = good(`${toHtml(first)}\n${toHtml(second)}\n`)
    expect(await blockmark('render', '--quiet', 'first.md', 'second.md')).toEqual(expected)
    expect(await blockmark('render', 'first.md', 'second.md', '-q')).toEqual(expected)
  })

  test('without a file, and for -, standard input is read', async () => {
    expect(await blockmarkReading(second, 'render')).toEqual(good(`${toHtml(second)}\n`))
    expect(await blockmarkReading(second, 'render', '-')).toEqual(good(`${toHtml(second)}\n`))
    expect(await shell('cat first.md | "$0" render')).toEqual(good(`${toHtml(first)}\n`))
    expect(await shell('"$0" render < first.md')).toEqual(good(`${toHtml(first)}\n`))
    expect(await blockmarkReading('', 'render')).toEqual(good(''))
  })

  test('standard input can be one of several files', async () => {
    const { stdout } = await blockmarkReading('*here*', 'render', 'first.md', '-')
    expect(stdout).toBe(`==> first.md <==\n${toHtml(first)}\n\n==> standard input <==\n<p><em>here</em></p>\n`)
  })

  test('a name that starts with a dash follows --', async () => {
    expect(await blockmark('render', '--', '-dash.md')).toEqual(good('<p>a dash</p>\n'))
  })

  test('a byte order mark belongs to the source but not to the message', async () => {
    const html = good('<h1>Marked \uFEFF</h1>\n')
    expect(await blockmark('render', 'marked.md')).toEqual(html)
    expect(await blockmarkReading('\uFEFF# Marked \uFEFF', 'render')).toEqual(html)
    expect(await blockmark('render', '--to', 'source', 'marked.md')).toEqual(good('\uFEFF# Marked \uFEFF'))
    const { stdout } = await blockmark('render', '--to', 'json', 'marked.md')
    expect(JSON.parse(stdout)).toEqual(parse('# Marked \uFEFF'))
  })
})

describe.concurrent('errors are one line', () => {
  test.each([
    [['render', 'absent.md'], 'absent.md: no such file'],
    [['render', 'first.md/below.md'], 'first.md/below.md: no such file'],
    [['render', '.'], '.: is a directory'],
    [['render', 'latin.md'], 'latin.md: not UTF-8: invalid byte 0xE9 at offset 3'],
    [['render', 'cut.md'], 'cut.md: not UTF-8: invalid byte 0xE2 at offset 2'],
    [['render', 'sixteen.md'], 'sixteen.md: not UTF-8: invalid byte 0xFF at offset 0; it looks like UTF-16'],
    [['render', '--page', 'absent.md'], 'absent.md: no such file'],
    [['render', 'two\nlines\u001b[31m'], 'two\\x0alines\\x1b[31m: no such file'],
  ])('exit code 1: %j', async (words, line) => {
    expect(await blockmark(...words)).toEqual(bad(1, line))
  })

  test.each([
    [[], 'no command given; see blockmark --help'],
    [['rendre'], 'unknown command rendre; did you mean render?'],
    [['constructor'], 'unknown command constructor; see blockmark --help'],
    [['first.md'], 'unknown command first.md; did you mean blockmark render first.md?'],
    [['--verison'], 'unknown option --verison; did you mean --version?'],
    [['--to', 'html'], 'unknown option --to; see blockmark --help'],
    [['help', 'rendr'], 'unknown command rendr; did you mean render?'],
    [['render', '--pgae'], 'unknown option --pgae; did you mean --page?'],
    [['render', '--qui'], 'unknown option --qui; did you mean --quiet?'],
    [['render', '--no-page'], 'unknown option --no-page; see blockmark render --help'],
    [['render', '--__proto__'], 'unknown option --__proto__; see blockmark render --help'],
    [['render', '-x'], 'unknown option -x; see blockmark render --help'],
    [['render', '-qx'], 'unknown option -x; see blockmark render --help'],
    [['render', '--to'], '--to needs a value: html, text, json, hast, source'],
    [['render', '--to', 'htlm'], '--to: unknown FORMAT htlm; did you mean html?'],
    [['render', '--to='], '--to needs a value: html, text, json, hast, source'],
    [['render', '--to', 'pdf'], '--to: unknown FORMAT pdf; choose from html, text, json, hast, source'],
    [['render', '--page=yes'], '--page takes no value'],
    [['render', '--page', '--to', 'text'], '--page goes with --to html only'],
    [['render', '--lang', 'de'], '--lang goes with --page'],
    [['render', '--page', '--lang', 'de', '--lang', 'fr'], '--lang is given more than once'],
    [['render', '--page', '--lang', 'en_US'], '--lang: en_US is not a language tag: expected one such as en or pt-BR'],
    [['render', '-', '-'], 'standard input (-) is given more than once'],
  ])('exit code 2: %j', async (words, line) => {
    expect(await blockmarkReading('', ...words)).toEqual(bad(2, line))
  })

  test('for standard input', async () => {
    expect(await blockmarkReading(Buffer.from([0x61, 0x80]), 'render')).toEqual(
      bad(1, 'standard input: not UTF-8: invalid byte 0x80 at offset 1'),
    )
    expect(await shell('"$0" render < .')).toEqual(bad(1, 'standard input: is a directory'))
    expect(await shell('"$0" render <&-')).toEqual(good(''))
  })

  test('after an error, the other files are rendered', async () => {
    const expected = `==> first.md <==\n${toHtml(first)}\n\n==> second.md <==\n${toHtml(second)}\n`
    expect(await blockmark('render', 'absent.md', 'first.md', '.', 'second.md')).toEqual({
      ...bad(1, 'absent.md: no such file', '.: is a directory'),
      stdout: expected,
    })
  })

  test.skipIf(!existsSync('/dev/full'))('for a full disk', async () => {
    expect(await shell('"$0" render first.md > /dev/full')).toEqual(
      bad(1, 'standard output: ENOSPC: no space left on device, write'),
    )
  })
})

describe.concurrent('pipes', () => {
  test('head ends the program without an error', async () => {
    const line = '<p>a line with <strong>some</strong> <u>words</u> in it</p>\n'
    expect(await shell('"$0" render big.md | head -n 1')).toEqual(good(line))
    expect(await shell('"$0" render first.md big.md second.md | head -n 1')).toEqual(good('==> first.md <==\n'))
    // The shell returns the exit code of the program.
    expect(await shell('{ "$0" render big.md; echo "$?" >&2; } | head -n 1')).toEqual({ ...good(line), stderr: '0\n' })
  })

  test('a closed reader ends the program without an error', async () => {
    const child = start(['render', 'big.md'])
    child.stdout?.once('data', () => child.stdout?.destroy())
    const code = new Promise((resolve) => child.on('exit', resolve))
    expect(await textOf(child.stderr)).toBe('')
    expect(await code).toBe(0)
  })

  test('closed standard output and standard error are not an error', async () => {
    expect(await shell('"$0" render first.md >&-')).toEqual(good(''))
    expect(await shell('"$0" render absent.md 2>&-')).toEqual({ ...good(''), code: 1 })
    expect(await shell('"$0" render absent.md 2>&1 | :')).toEqual(good(''))
  })

  test('a slow reader gets everything', async () => {
    const child = start(['render', 'big.md'])
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout ?? []) {
      chunks.push(chunk)
      if (chunks.length <= 20) await sleep(20)
    }
    expect(Buffer.concat(chunks).equals(Buffer.from(`${toHtml(big)}\n`))).toBe(true)
  })
})

describe.concurrent('--page', () => {
  type Element = DefaultTreeAdapterTypes.Element

  function elements(node: DefaultTreeAdapterTypes.Node, name: string): Element[] {
    if (!('childNodes' in node)) return []
    const below = node.childNodes.flatMap((child) => elements(child, name))
    return 'tagName' in node && node.tagName === name ? [node, ...below] : below
  }

  async function documentOf(...words: string[]): Promise<DefaultTreeAdapterTypes.Document> {
    const { code, stdout, stderr } = await blockmark('render', '--page', ...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const errors: string[] = []
    const document = parseHtml(stdout, { onParseError: ({ code }) => errors.push(code) })
    expect(errors).toEqual([])
    expect(document.mode).toBe(htmlNames.DOCUMENT_MODE.NO_QUIRKS)
    return document
  }

  function only(document: DefaultTreeAdapterTypes.Document, name: string): Element {
    const [element, ...others] = elements(document, name)
    expect(others).toEqual([])
    if (element === undefined) throw new Error(`no ${name} in the page`)
    return element
  }

  function attributes(element: Element): Record<string, string> {
    return Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]))
  }

  test('is a document in UTF-8 that fits phones, with the message as an article', async () => {
    const document = await documentOf('first.md')
    expect(attributes(only(document, 'html'))).toEqual({ lang: 'en' })
    expect(elements(document, 'meta').map(attributes)).toEqual([
      { charset: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
    ])
    expect(serialize(only(document, 'article')).trim()).toBe(serialize(parseFragment(toHtml(first))))
    expect(['script', 'link', 'img', 'iframe', 'base'].flatMap((name) => elements(document, name))).toEqual([])
  })

  test('has its own style sheet for light and dark, which fetches nothing', async () => {
    const style = serialize(only(await documentOf('first.md'), 'style'))
    expect(style).toContain('color-scheme: light dark')
    expect(style).toContain('prefers-color-scheme: dark')
    expect(style).not.toMatch(/url\(|@import/)
  })

  test('takes its title from the first heading of any message, else from the name of the first', async () => {
    const titles = await Promise.all(
      [['first.md'], ['second.md'], ['-dash.md', 'second.md', 'first.md'], ['-dash.md']].map(async (names) => {
        const title = only(await documentOf('--', ...names), 'title')
        return serialize(title)
      }),
    )
    expect(titles).toEqual(['Deploy of api &amp; &lt;web&gt;', 'A second one', 'A second one', '-dash.md'])
  })

  test('contains an article for each message', async () => {
    const document = await documentOf('first.md', 'empty.md', 'second.md', '--lang', 'PT-br')
    expect(attributes(only(document, 'html'))).toEqual({ lang: 'pt-BR' })
    expect(elements(document, 'article').map((article) => serialize(article).trim())).toEqual(
      [first, '', second].map((source) => serialize(parseFragment(toHtml(source)))),
    )
  })

  test('keeps every message inside its article', async () => {
    const hostile = '# </title><script>alert(1)</script>\n</article></main><script>1</script> <!-- <style>\n```\n</pre>'
    writeFileSync(join(messages, 'hostile.md'), hostile)
    const document = await documentOf('hostile.md')
    expect(elements(document, 'script')).toEqual([])
    expect(serialize(only(document, 'article')).trim()).toBe(serialize(parseFragment(toHtml(hostile))))
  })
})

describe('blockmark playground', () => {
  test('writes its document, which may connect to nothing', async () => {
    const { code, stdout, stderr } = await blockmark('playground', '--print')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*default-src 'none'[\s\S]*<\/html>\s*$/)
    expect(stdout.replace(/<(script|style)>.*<\/\1>/gs, '')).not.toMatch(/(?:src|href)="(?!#|data:)/)
  })

  test('shows it on this machine until it is stopped', async () => {
    const child = start(['playground'])
    const ended = outcomeOf(child)
    const address: string = await new Promise((resolve) =>
      child.stdout?.once('data', (line) => resolve(String(line).trim())),
    )
    const response = await fetch(address)
    expect(await response.text()).toBe((await blockmark('playground', '--print')).stdout)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-/,
    )
    expect((await fetch(new URL('/else', address))).status).toBe(404)
    const taken = await blockmark('playground', '--port', new URL(address).port)
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('choose another one with --port')])
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })
})

test('invalidByteAt is the end of valid UTF-8: no sequence that starts there is valid', () => {
  // Both ends of every range in Unicode's table of well-formed UTF-8, and their neighbors.
  const bytes = [0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1]
  bytes.push(0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff)
  const wrong: string[] = []
  const check = (sequence: readonly number[]): void => {
    const all = Buffer.from(sequence)
    const at = invalidByteAt(all)
    const isRight =
      at === -1
        ? isUtf8(all)
        : isUtf8(all.subarray(0, at)) &&
          [1, 2, 3, 4].every((length) => at + length > all.length || !isUtf8(all.subarray(at, at + length)))
    if (!isRight) wrong.push(`${Buffer.from(all).toString('hex')} ${at}`)
    if (sequence.length < 4) for (const byte of bytes) check([...sequence, byte])
  }
  check([])
  expect(wrong).toEqual([])
})

describe('blockmark convert', () => {
  test('reads Slack and reports losses on standard error', async () => {
    const { code, stdout, stderr } = await blockmarkReading(
      '*hi* <!here>\n',
      'convert',
      '--from',
      'slack',
      '--to',
      'dialect',
    )
    expect([code, stdout]).toEqual([0, '**hi** @here\n'])
    expect(stderr).toBe('standard input:1:6: an element without a counterpart stays text (slack-element)\n')
    const blocks = JSON.stringify({
      blocks: [{ type: 'header', text: { type: 'plain_text', text: 'a *b*' } }, { type: 'x' }],
    })
    const quiet = await blockmarkReading(blocks, 'convert', '--from', 'slack', '--to', 'text', '-q')
    expect(quiet).toEqual({ code: 0, stdout: 'a *b*\n', stderr: '' })
  })

  test('writes Slack and mentions only the given users', async () => {
    const words = ['convert', '--from', 'dialect', '--to', 'slack', 'first.md']
    expect((await blockmark(...words)).stdout).toBe(
      "*Deploy of `api` &amp; &lt;web&gt;*\n\n*Done:* _all_ of @Ann's\n\n• ~one~\n• <https://example.com/a_b>\n",
    )
    const mentioning = ['convert', '--from', 'slack', '--to', 'dialect', '--mention', 'U7']
    expect((await blockmarkReading('<@U7> <@U8>', ...mentioning)).stdout).toBe('<@U7> @U8\n')
  })

  test('writes messages: JSON for Telegram and Matrix, text for Discord and WhatsApp', async () => {
    const to = (product: string, ...words: string[]) => ['convert', '--from', 'dialect', '--to', product, ...words]
    const telegram = await blockmarkReading('**a** b', ...to('telegram'))
    expect(telegram).toEqual(good('{"text":"a b","entities":[{"type":"bold","offset":0,"length":1}]}\n'))
    const matrix = await blockmarkReading('_a_', ...to('matrix'))
    expect(JSON.parse(matrix.stdout)).toMatchObject({ msgtype: 'm.text', formatted_body: '<p><u>a</u></p>' })
    expect(await blockmarkReading('**a** _b_', ...to('discord'))).toEqual(good('**a** __b__\n'))
    expect(await blockmarkReading('**a** b_c', ...to('whatsapp', '--json'))).toEqual(good('"*a* b_c"\n'))
    const long = await blockmarkReading(`${'a'.repeat(1_999)}\n\nb`, ...to('discord'))
    expect(long.stdout).toBe(`--- message 1 of 2 ---\n${'a'.repeat(1_999)}\n--- message 2 of 2 ---\nb\n`)
    expect(await blockmarkReading(' \n', ...to('whatsapp'))).toEqual(good(''))
  })

  test('names the missing packages in one line', async () => {
    const peers = 'mdast-util-from-markdown mdast-util-gfm mdast-util-to-markdown micromark-extension-gfm'
    expect(await blockmarkReading('a', 'convert', '--from', 'markdown', '--to', 'text')).toEqual({
      code: 1,
      stdout: '',
      stderr: `blockmark: CommonMark needs packages that are not installed: npm install ${peers}\n`,
    })
    expect(await blockmarkReading('_a_', 'convert', '--from', 'dialect', '--to', 'html')).toEqual(
      good('<p><u>a</u></p>\n'),
    )
  })

  test('requires both formats', async () => {
    expect(await blockmark('convert', '--to', 'text')).toMatchObject({ code: 2, stdout: '' })
    expect(await blockmarkReading('{"ok": true}', 'convert', '--from', 'slack', '--to', 'text')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'blockmark: expected mrkdwn, an array of blocks, or a message with text, blocks, attachments or files, received object\n',
    })
    expect(await blockmark('convert', '--from', 'slack')).toMatchObject({ code: 2, stdout: '' })
    expect(await blockmark('convert', '--from', 'slack', '--to', 'text', 'a', 'b')).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})

test('nearest finds typing errors, beginnings and nothing else', () => {
  const known = ['render', 'lint', 'explain', 'convert', 'serve', 'post']
  const found = ['rendr', 'redner', 'renderr', 'exp', 'lnit', 'covnert', 'pots', 'l', 'zzz', '', 'toast', 'README.md']
  expect(found.map((word) => nearestWord(word, known))).toEqual([
    ...['render', 'render', 'render', 'explain', 'lint', 'convert', 'post', 'lint'],
    ...[undefined, undefined, undefined, undefined],
  ])
})
