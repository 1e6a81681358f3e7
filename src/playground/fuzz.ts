/** The button that fuzzes the library in a worker, whose script the service serves next to the page. */

import { button, element } from './element.js'

/** The result so far. */
export interface FuzzReport {
  readonly treeCount: number
  readonly failureCount: number
  readonly isOver: boolean
}

let row: HTMLElement | null = null

/** Returns the row with the button; a document from a file has no second file, and no row. */
export function fuzzRow(): readonly Node[] {
  const { docs } = document.body.dataset
  if (docs === undefined) return []
  // One row for all panels, so that typing does not end a run.
  row ??= createRow(`${docs}/fuzz.js`)
  return [row]
}

function createRow(script: string): HTMLElement {
  const status = element('span', { role: 'status' }, 'parse(stringify(tree)) = normalize(tree), for random trees')
  const start = button('Fuzz', () => {
    start.disabled = true
    status.textContent = 'Loading fast-check …'
    const started = performance.now()
    const worker = new Worker(script)
    const end = (text: string): void => {
      worker.terminate()
      start.disabled = false
      status.textContent = text
    }
    worker.addEventListener('error', () => end('The fuzzer could not be loaded.'))
    worker.addEventListener('message', ({ data }: MessageEvent<FuzzReport>) => {
      const { treeCount, failureCount, isOver } = data
      const text = `${treeCount.toLocaleString('en')} trees, ${failureCount} failures`
      status.textContent = text
      if (isOver) end(`${text}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
    })
  })
  return element('p', { class: 'choice' }, start, ' ', status)
}
