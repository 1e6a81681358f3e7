/** The URL of the server that runs on a data folder: a note in that folder, for commands that print URLs. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './embedded/postmaster.js'

/**
 * Writes the note with the URL of this process's pages.
 *
 * @param data - the data folder
 * @param siteUrl - the beginning of the URLs of pages
 * @returns the function that removes the note
 */
export function noteAddress(data: string, siteUrl: string): () => void {
  const path = pathOf(data)
  try {
    mkdirSync(data, { recursive: true })
    writeFileSync(path, JSON.stringify({ siteUrl, pid: process.pid }))
  } catch {
    // The note is a convenience: if database and files are elsewhere, the folder may not be writable.
    return () => undefined
  }
  return () => {
    // Another server that started meanwhile has written its own note.
    if (read(path)?.pid === process.pid) rmSync(path, { force: true })
  }
}

/**
 * Finds the URL of the server that runs on a data folder.
 *
 * @param data - the data folder
 * @returns the beginning of the URLs of its pages; null if no server runs
 */
export function runningAddress(data: string): string | null {
  const note = read(pathOf(data))
  // The note of a killed server remains.
  return note !== null && isAlive(note.pid) ? note.siteUrl : null
}

function pathOf(data: string): string {
  return join(data, 'server.json')
}

interface Note {
  readonly siteUrl: string
  readonly pid: number
}

function read(path: string): Note | null {
  try {
    const { siteUrl, pid }: Partial<Note> = JSON.parse(readFileSync(path, 'utf8'))
    return typeof siteUrl === 'string' && Number.isInteger(pid) ? { siteUrl, pid: Number(pid) } : null
  } catch {
    return null
  }
}
