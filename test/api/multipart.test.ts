/** The parts of a form, however the body is cut into chunks, and the bodies that are rejected. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Part, partsOf } from '../../src/api/files/multipart.js'
import { expectToBeFast } from '../timing.js'

const TYPE = 'multipart/form-data; boundary=b'

async function* chunksOf(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

type Read = Pick<Part, 'name' | 'filename'> & { readonly text: string }

async function read(body: string | Buffer, type = TYPE, size = 65_536): Promise<Read[]> {
  const found: Read[] = []
  for await (const { name, filename, content } of partsOf(chunksOf(Buffer.from(body), size), type)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    found.push({ name, filename, text: Buffer.concat(chunks).toString('latin1') })
  }
  return found
}

function part(disposition: string, text: string, more = ''): string {
  return `--b\r\ncontent-disposition: form-data; ${disposition}\r\n${more}\r\n${text}\r\n`
}

describe('the parts of a form', () => {
  test('are the same in any chunks, and equal those that the platform writes', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 })
    const file = fc.record({ content: bytes, name: fc.constantFrom('a.txt', 'é "x".png', 'a\\b') })
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 4 }), fc.integer({ min: 1, max: 90 }), async (files, size) => {
        const form = new FormData()
        for (const { content, name } of files) form.append('data', new Blob([content]), name)
        const written = new Response(form)
        const type = written.headers.get('content-type') ?? ''
        const found = await read(Buffer.from(await written.arrayBuffer()), type, size)
        const expected = files.map(({ content, name }) => ({
          ...{ name: 'data', filename: name },
          text: Buffer.from(content).toString('latin1'),
        }))
        expect(found).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })

  test.each([
    ['name="data"; filename="a.txt"', 'data', 'a.txt'],
    ['name=data; filename=a.txt', 'data', 'a.txt'],
    ['name="data"', 'data', null],
    ['name="data"; filename=""', 'data', null],
    ['name="data"; filename="a \\"b\\" c:\\d"', 'data', 'a "b" c:\\d'],
    ['name="data"; filename="x"; filename*=UTF-8\'\'%C3%A9', 'data', 'é'],
    ['name="data"; filename="x"; filename*=UTF-8\'\'%C3', 'data', 'x'],
    ['filename="a" ; NAME="data" ;', 'data', 'a'],
    ['name="data"; filename="a"b"', '', null],
  ])('have the names in %s', async (disposition, name, filename) => {
    expect(await read(`${part(disposition, 'x')}--b--`)).toEqual([{ name, filename, text: 'x' }])
  })

  test('are files without a name if they are any bytes', async () => {
    const body = `${part('name="data"', 'x', 'Content-Type: application/octet-stream\r\n')}--b--`
    expect(await read(body)).toEqual([{ name: 'data', filename: '', text: 'x' }])
  })

  test('have names that are found in linear time', () => {
    // The parameters are read before the first byte of the body.
    const parse = (spaces: number) => () => {
      partsOf(chunksOf(Buffer.from('--b--'), 5), `multipart/form-data${' '.repeat(spaces)}x; boundary=b`)
        .next()
        .catch(String)
    }
    expectToBeFast(parse(40_000), { milliseconds: 100, times: 20, ordinary: parse(4_000) })
  })

  test('end at a delimiter only, and may be empty', async () => {
    const text = '\r\n--\r\n--c\r\r\n-b--b'
    const body = `before\r\n${part('name="a"', text)}${part('name="b"', '')}--b--\r\nafter`
    for (const size of [1, 2, 3, 5, 8, 1000]) {
      expect((await read(body, 'multipart/form-data; boundary="b"', size)).map((each) => each.text)).toEqual([text, ''])
    }
  })
})

describe('a body', () => {
  test.each([
    ['', 'invalid_request'],
    ['x', 'invalid_request'],
    ['--b', 'invalid_request'],
    [part('name="a"', 'x'), 'invalid_request'],
    [part('name="a"', 'x').slice(0, 20), 'invalid_request'],
    [`--b\r\n${'x'.repeat(20_000)}\r\n\r\n\r\n--b--`, 'invalid_request'],
    [`${part('name="a"', 'x').repeat(101)}--b--`, 'invalid_request'],
    [`${'x'.repeat(65_537)}\r\n--b--`, 'too_large'],
    [`--b--${'x'.repeat(140_000)}`, 'too_large'],
  ])('is rejected: %#', async (body, code) => {
    for (const size of [7, 65_536]) await expect(read(body, TYPE, size)).rejects.toMatchObject({ code })
  })

  test('is rejected without a boundary, or with one of more than 70 characters', async () => {
    const long = `multipart/form-data; boundary=${'b'.repeat(71)}`
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=""', '', long]) {
      await expect(read('--b--', type)).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  test('is not read further if a part that is skipped never ends', async () => {
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('--b\r\ncontent-disposition: form-data; name="other"\r\n\r\n')
      for (;;) {
        sent += 1000
        yield Buffer.alloc(1000)
      }
    }
    const skip = async (): Promise<void> => {
      for await (const _ of partsOf(endless(), TYPE));
    }
    await expect(skip()).rejects.toMatchObject({ code: 'too_large' })
    expect(sent).toBeLessThan(70_000)
  })
})
