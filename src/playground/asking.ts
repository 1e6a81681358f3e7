/** Asks what becomes of a text: of a short one here and at once, of a long one in a worker, so that typing goes on. */

import { answer, type Part, type Question } from './answer.js'

/** What is answered within a few milliseconds, drawn as well. */
const HERE_LENGTH_MAX = 3000

interface Asked {
  readonly id: number
  readonly question: Question
}

export interface Asking {
  /** Asks; parts of an earlier answer come no more. */
  ask(question: Question): void
}

/** Makes what asks. */
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
    // Of what was asked meanwhile only the last matters.
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

/** The document's own script once more, where it finds no document; null where the browser lets no worker start. */
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
