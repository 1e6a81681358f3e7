/**
 * Imports a module, calls its `toHtml` if it has one, and prints the milliseconds of both: `node import-one.js MODULE`.
 */
const message = `**Build 7** of \`core_api\` failed: <@123|Ann>, see [the log](https://example.com/log?a=1&b=2)
* _first_ item, -old-
* https://example.com/path_to & <that>`

const used = process.cpuUsage()
const start = performance.now()
const module: Readonly<Record<string, unknown>> = await import(process.argv[2] ?? './empty.js')
const wall = performance.now() - start
const { user, system } = process.cpuUsage(used)
console.log(JSON.stringify({ wall, cpu: (user + system) / 1_000, first: firstCall(module['toHtml']) }))

/** Returns the milliseconds of the first call; null if the module has no such function. */
function firstCall(toHtml: unknown): number | null {
  if (typeof toHtml !== 'function') return null
  const begin = performance.now()
  const html: unknown = toHtml(message)
  const taken = performance.now() - begin
  if (typeof html !== 'string' || !html.includes('</strong>')) throw new Error('expected HTML, received none')
  return taken
}

export {}
