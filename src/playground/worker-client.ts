/** Asks for outputs: of a short text in the page, of a long one in a worker, so that typing never waits. */

import { type Question, type Result, resultOf } from './outputs-of.js'

/** A text of this length is answered and drawn within a few milliseconds. */
const HERE_LENGTH_MAX = 3000

/** Creates the function that asks; `onResult` receives the result of the last question. */
export function createWorkerClient(
  onResult: (result: Result, question: Question) => void,
): (question: Question) => void {
  let worker: Worker | null | undefined
  /** The question of the worker, and the last one, which is asked next. */
  let [asked, last]: [Question | null, Question | null] = [null, null]
  const send = (): void => {
    asked = last
    worker?.postMessage(asked)
  }
  const take = ({ data }: MessageEvent<Result>): void => {
    const [question, isLast] = [asked, asked === last]
    asked = null
    if (!isLast && last !== null) send()
    else if (question !== null && isLast) onResult(data, question)
  }
  return (question) => {
    const isLong = question.text.length > HERE_LENGTH_MAX
    if (isLong) worker ??= worker === null ? null : startWorker(take)
    last = isLong && worker !== null ? question : null
    if (last === null) onResult(resultOf(question), question)
    else if (asked === null) send()
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
