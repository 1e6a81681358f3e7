/** In the worker: answers questions in parts, so that the page draws each in its own task. */

import { answer, type Question } from './answer.js'

addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly question: Question }>) => {
  for (const part of answer(data.question)) postMessage({ id: data.id, part })
  postMessage({ id: data.id, part: null })
})
