/** Asks for outputs: of a short text at once, of a long one in a worker, so that typing never waits. */

import { answer, type Part, type Question } from './answer.js'

/** A text of this length is answered and drawn within a few milliseconds. */
const HERE_LENGTH_MAX = 3000

interface Asked {
  readonly id: number
  readonly question: Question
}

export interface Asking {
  /** Asks; the remaining parts of an earlier answer are dropped. */
  ask(question: Question): void
}

/** Creates the asking side; `onPart` receives the parts in order, and then null. */
export function createAsking(onPart: (part: Part | null, question: Question) => void): Asking {
  let [current, isBusy]: [number, boolean] = [0, false]
  let worker: Worker | null | undefined
  let [latest, waiting]: [Asked | null, Asked | null] = [null, null]
  const answerHere = (question: Question): void => {
    for (const part of answer(question)) onPart(part, question)
    onPart(null, question)
  }
  const send = (asked: Asked): void => {
    isBusy = true
    worker?.postMessage(asked)
  }
  const take = ({ data: { id, part } }: MessageEvent<{ id: number; part: Part | null }>): void => {
    if (latest?.id === id) onPart(part, latest.question)
    if (part !== null) return
    // Only the last question of the meantime matters.
    const next = waiting
    ;[waiting, isBusy] = [null, false]
    if (next !== null && next.id === current) send(next)
  }
  return {
    ask(question) {
      current += 1
      latest = { id: current, question }
      if (question.text.length <= HERE_LENGTH_MAX) return answerHere(question)
      worker ??= worker === null ? null : startWorker(take)
      if (worker === null) return answerHere(question)
      if (isBusy) waiting = latest
      else send(latest)
    },
  }
}

/** Starts the document's own script in a worker; null if the browser does not allow one. */
function startWorker(take: (event: MessageEvent) => void): Worker | null {
  const script = [...document.scripts].find(({ type }) => type === '')?.textContent ?? ''
  try {
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })))
    worker.addEventListener('message', take)
    return worker
  } catch {
    return null
  }
}
