/** Replaces `src/page/packed.ts` in tests: the files that the build compresses, from the sources. */

import { chapters } from '../.ci/conformance.js'
import { playground } from '../.ci/playground.js'

export async function readPacked(name: string): Promise<string> {
  return name === 'playground.html' ? playground() : JSON.stringify(chapters())
}
