/** The help of every command, of both programs. */

import { describe, expect, test, vi } from 'vitest'
import { commands as ofLibrary, serverCommands } from '../src/cli/commands.js'
import { commands as ofServer, run } from '../src/server/commands/index.js'
import { readArguments } from '../src/terminal/arguments.js'
import { commandHelp } from '../src/terminal/help.js'

const programs = { blockmark: ofLibrary, 'blockmark-server': ofServer }
const all = Object.entries(programs).flatMap(([program, commands]) =>
  Object.entries(commands).map(([name, entry]) => ({ program, name, entry })),
)

describe.each(all)('$program $name --help', ({ program, name, entry }) => {
  test('has two examples, which the command accepts', async () => {
    const { command } = await entry.load()
    const help = commandHelp(`${program} ${name}`, entry.summary, command)
    expect(help.endsWith(`\nExamples:\n${command.examples.map((line) => `  ${line}\n`).join('')}`)).toBe(true)
    for (const example of command.examples) {
      // Without assignments before the program, and without redirections and pipes after it.
      const call = new RegExp(`(?:^|[|] |\\w=\\S+ )${program} ([^|<>]*)`).exec(example)?.[1] ?? ''
      const words = Array.from(call.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word)
      if (words[0] === name) words.shift()
      expect([example, call === '' && name !== 'serve']).toEqual([example, false])
      expect([example, readArguments(name, words, command.options)]).not.toEqual([example, 'help'])
    }
  })

  test('fits a terminal of 105 columns', async () => {
    const { command } = await entry.load()
    const lines = commandHelp(`${program} ${name}`, entry.summary, command).split('\n')
    expect(lines.filter((line) => line.length > 105)).toEqual([])
  })
})

test('blockmark names the commands that only the server has', () => {
  const names = Object.keys(ofServer).filter((name) => !(name in ofLibrary))
  expect(serverCommands.toSorted()).toEqual(names.toSorted())
})

test('blockmark-server runs serve without a command', async () => {
  const printed: unknown[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest: unknown[]) => {
    printed.push(text)
    for (const each of rest) if (typeof each === 'function') each()
    return true
  })
  await run(['--help']).finally(() => write.mockRestore())
  expect(printed.join('')).toContain('\nWithout a COMMAND, runs serve.\n')
})
