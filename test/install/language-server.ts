/** The compiler's language server, which editors use. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { top } from '../source.js'

export interface LanguageServer {
  /** Opens a file, which need not exist on the disk. */
  open(path: string, text: string): string
  /** Returns the text that an editor shows at a position of an open file. Lines and columns count from 0. */
  hover(uri: string, line: number, character: number): Promise<string>
  close(): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

/** Starts the language server for a folder. */
export async function openLanguageServer(folder: string): Promise<LanguageServer> {
  const compiler = join(top, 'node_modules', 'typescript', 'bin', 'tsc')
  const child = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (result: unknown) => void>()
  let asked = 0
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      send({ id: asked, method, params })
    })
  listen(child.stdout, ({ id, method, result }) => {
    if (id === undefined) return
    // The server asks for optional features of the editor; this client has none.
    if (method !== undefined) send({ id, result: null })
    else waiting.get(id)?.(result)
  })
  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
  await ask('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities })
  send({ method: 'initialized', params: {} })
  return {
    open(path, text) {
      const uri = pathToFileURL(join(folder, path)).href
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
      })
      return uri
    },
    async hover(uri, line, character) {
      // The type is that of the protocol; null if there is nothing to show.
      const shown = (await ask('textDocument/hover', { textDocument: { uri }, position: { line, character } })) as {
        readonly contents: { readonly value: string }
      } | null
      return shown?.contents.value ?? ''
    },
    close: () => child.kill(),
  }
}

/** Splits the output into messages, each of which has its length before it. */
function listen(stream: NodeJS.ReadableStream, take: (message: Message) => void): void {
  let pending = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const head = pending.indexOf('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/i.exec(pending.subarray(0, Math.max(head, 0)).toString()) ?? []
      const end = head + 4 + Number(length)
      if (head < 0 || length === undefined || pending.length < end) return
      const message: Message = JSON.parse(pending.subarray(head + 4, end).toString())
      pending = pending.subarray(end)
      take(message)
    }
  })
}
