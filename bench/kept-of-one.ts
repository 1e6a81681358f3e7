/**
 * Writes what one module keeps in memory between calls, in a process of its own: `node kept-of-one.js MODULE FOLDER FILE…`
 * puts a snapshot of the heap into the folder after the import, and one after the messages of each file, which holds
 * them as JSON. They are read anew each time, so that none of them is in a snapshot.
 */
import { readFileSync } from 'node:fs'
import { writeHeapSnapshot } from 'node:v8'

type Reader = (message: string) => unknown

const [, , module = '', folder = '', ...files] = process.argv

// What reading the files takes is there before the import.
for (const file of files) read(file, last)
const { parse = last, toHtml = last }: { parse?: Reader; toHtml?: Reader } = await import(module)
writeHeapSnapshot(`${folder}/0.heapsnapshot`)
for (const [index, file] of files.entries()) {
  for (const reader of [parse, toHtml]) read(file, reader)
  writeHeapSnapshot(`${folder}/${index + 1}.heapsnapshot`)
}

function read(file: string, reader: Reader): void {
  const messages: readonly string[] = JSON.parse(readFileSync(file, 'utf8'))
  for (const message of messages) reader(message)
}

function last(message: string): number {
  return message.charCodeAt(message.length - 1)
}
