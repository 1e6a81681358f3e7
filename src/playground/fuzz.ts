/** The button that fuzzes the library in a worker, whose script the service serves next to the page. */

import { button, element } from './element.js'

/** The number of trees that were checked so far, and the number of checks that failed. */
export interface FuzzReport {
  readonly treeCount: number
  readonly failureCount: number
  readonly isOver: boolean
}

let cachedRow: HTMLElement | null = null

/** Returns the row with the button. A page that was opened from a file has none: it cannot load the worker's script. */
export function fuzzRow(): readonly Node[] {
  const { docs } = document.body.dataset
  if (docs === undefined) return []
  // The row is created once, so that a run goes on while the reader types.
  cachedRow ??= createRow(`${docs}/fuzz.js`)
  return [cachedRow]
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
