/** `blockmark playground`: serves the playground on this machine, for a browser. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { playgroundPage, readPlayground } from '../page/playground.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { write } from '../terminal/output.js'

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark playground', 'blockmark playground --print > playground.html'],
  options: {
    port: { value: 'PORT', help: 'the port to listen on (default: any free port)' },
    print: { help: 'only write the document, as a single HTML file, to standard output' },
  },
  notes: `Prints a URL to open in a browser, and runs until it is stopped. The page sends nothing anywhere.`,
  run: async ({ values, operands }) => {
    if (operands[0] !== undefined) throw new UsageError(`playground accepts no operands, received ${operands[0]}`)
    const html = await readPlayground()
    if (values.print) return write(playgroundPage(html).body)
    const server = await listen(html, portOf(values.port ?? '0'))
    const address = server.address()
    await write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/playground\n`)
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    server.close()
    server.closeAllConnections()
  },
})

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new UsageError(`--port: expected a number from 0 to 65535, received ${text}`)
}

async function listen(html: string, port: number): Promise<Server> {
  const { status, headers, body } = playgroundPage(html)
  const server = createServer((request, response) => {
    const isPlayground = request.url === '/playground' || request.url === '/'
    if (isPlayground && request.method === 'GET') response.writeHead(status, { ...headers }).end(body)
    else response.writeHead(404).end()
  })
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new Failure(`port ${port} cannot be used: choose another one with --port`, { cause })
  }
  return server
}
