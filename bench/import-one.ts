/** Imports what its argument names and prints what that took, in milliseconds: `node import-one.js MODULE`. */
const used = process.cpuUsage()
const start = performance.now()
await import(process.argv[2] ?? './empty.js')
const wall = performance.now() - start
const { user, system } = process.cpuUsage(used)
console.log(JSON.stringify({ wall, cpu: (user + system) / 1_000 }))

export {}
