/** A thread that runs the tests of one module after the other, until one fails, with vitest's own runner. */

import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { type Suite, startTests, type Task, type Test, type VitestRunner } from '@vitest/runner'
import type { Answer, Order } from './tests.js'

/** What Stryker's instrumented files share with who runs them. */
interface Shared {
  currentTestId?: string | undefined
  mutantCoverage?: { static: Counts; perTest: Record<string, Counts> }
}
type Counts = Record<string, number>

const stryker: Shared = {}
Object.assign(globalThis, { __stryker__: stryker })
const { path, without } = workerData as { path: string; without: string }

parentPort?.on('message', async (order: Order) => answer(await run(order)))

function answer(message: Answer): void {
  parentPort?.postMessage(message)
}

async function run(order: Order): Promise<Answer> {
  const ranks = new Map(order.tests?.map((name, rank) => [name, rank]))
  const names = new Map<Test, string>()
  const durations: Record<string, number> = {}
  const failures: { name: string; message: string }[] = []
  const unwanted = new RegExp(without)
  const runner: VitestRunner = {
    config: {
      root: process.cwd(),
      setupFiles: [],
      name: undefined,
      passWithNoTests: true,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
      chaiConfig: undefined,
      maxConcurrency: 1,
      testTimeout: 600_000,
      hookTimeout: 600_000,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: () => import(`${pathToFileURL(path).href}?${randomUUID()}`),
    onCollected: (files) => {
      const counts = new Map<string, number>()
      for (const file of files) {
        for (const test of testsOf(file)) {
          const name = fullName(test)
          const count = (counts.get(name) ?? 0) + 1
          counts.set(name, count)
          names.set(test, count === 1 ? name : `${name} (${count})`)
        }
        arrange(file, (test) => {
          const name = names.get(test) ?? ''
          // A test that the original has not is one that may see the difference.
          return unwanted.test(name)
            ? null
            : order.tests === null
              ? 0
              : order.known.has(name)
                ? (ranks.get(name) ?? null)
                : -1
        })
        if (order.isReversed) file.tasks.reverse()
      }
    },
    onBeforeRunTask: (test) => {
      if (order.bails && failures.length > 0) test.mode = 'skip'
      if (test.mode === 'skip') return
      const name = names.get(test) ?? ''
      stryker.currentTestId = name
      answer({ type: 'test', name })
    },
    onAfterRunTask: (test) => {
      stryker.currentTestId = undefined
      const name = names.get(test) ?? ''
      durations[name] = test.result?.duration ?? 0
      if (test.result?.state === 'fail') failures.push({ name, message: messageOf(test) })
    },
  }
  const files = await startTests([path], runner)
  for (const suite of files.flatMap((file) => suitesOf(file))) {
    if (suite.result?.errors !== undefined) failures.push({ name: suite.name, message: messageOf(suite) })
  }
  const { mutantCoverage } = stryker
  delete stryker.mutantCoverage
  return { type: 'end', failures, durations, coverage: mutantCoverage === undefined ? null : mutantCoverage }
}

function messageOf({ result }: Task): string {
  return result?.errors?.[0]?.message.slice(0, 300) ?? ''
}

/** Leaves out what has no rank and puts the rest in the order of its ranks. */
function arrange(suite: Suite, rankOf: (test: Test) => number | null): number | null {
  const ranks = new Map<Task, number>()
  for (const task of suite.tasks) {
    const rank = task.type === 'test' ? rankOf(task) : arrange(task, rankOf)
    if (rank === null) task.mode = 'skip'
    else ranks.set(task, rank)
  }
  suite.tasks.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  return ranks.size === 0 ? null : Math.min(...ranks.values())
}

function testsOf(suite: Suite): Test[] {
  return suite.tasks.flatMap((task) => (task.type === 'test' ? [task] : testsOf(task)))
}

function suitesOf(suite: Suite): Suite[] {
  return [suite, ...suite.tasks.flatMap((task) => (task.type === 'suite' ? suitesOf(task) : []))]
}

function fullName(task: Task): string {
  const { suite } = task
  return suite === undefined ? task.name : `${fullName(suite)} › ${task.name}`
}
