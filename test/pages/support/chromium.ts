/** The browser of the tests, unpacked once from its package. */

import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: { readonly folder: string; readonly playground: string }
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const { unpackChromium } = await import('../../../bench/chromium.js')
  const { playground } = await import('../../../.ci/playground.js')
  project.provide('chromium', { folder: unpackChromium(), playground: await playground() })
}
