/** Replaces `src/page/packed.ts` in tests: the playground, from the sources. */

import { playground } from '../.ci/playground.js'

export function readPacked(): Promise<string> {
  return playground()
}
