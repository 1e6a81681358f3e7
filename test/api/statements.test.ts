/** Reads the schema and the statements, and checks the rules that let them run on one server and on a cluster. */

import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase, type Run } from '../../src/server/store/database.js'
import { sql } from '../../src/server/store/sql.js'
import { tidy } from '../../src/server/store/tidy.js'
import { sharedBackend } from './support/backends.js'
import { declaredTables } from './support/citus.js'

const { distributed, onEveryServer } = await declaredTables()
const { backend } = await sharedBackend()

/** The statements of the operator's commands: every text that begins with the verb of one. */
const ofOperator = ['organizations', 'keys', 'members'].flatMap((name) => {
  const text = readFileSync(new URL(`../../src/server/operator/${name}.ts`, import.meta.url), 'utf8')
  const found = text.matchAll(/'((?:SELECT|INSERT|UPDATE|DELETE) [^']*)'|`\s*((?:SELECT|INSERT|UPDATE|DELETE) [^`]*)`/g)
  return Array.from(found, ([, short, long = '']) => short ?? long)
})

const statements: Readonly<Record<string, string>> = {
  ...sql,
  ...Object.fromEntries(ofOperator.map((statement) => [statement, statement])),
}

/** Names or beginnings of statements that do not run on the server of one organization, each with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  organizationOfKey: 'a directory that is on every server',
  state: 'the server itself',
  'SELECT FROM key_directory LIMIT': 'a directory that is on every server',
  "SELECT nextval('ids') AS id": 'the sequence',
  'SELECT coalesce(json_agg(': 'all shards, for the operator',
  'SELECT result::json AS found': 'all shards, for the operator',
}

/** A query in parentheses that contains no other query but may contain function calls. */
const INNERMOST = /\(\s*(SELECT\b[^()]*(?:\((?!\s*SELECT)[^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*)\)/

/** Returns the queries of a statement, each without its subqueries. */
function levelsOf(statement: string): string[] {
  const levels: string[] = []
  let rest = statement
  for (let found = INNERMOST.exec(rest); found !== null; found = INNERMOST.exec(rest)) {
    levels.push(found[1] ?? '')
    rest = rest.replace(found[0], 'INNER')
  }
  return [...levels, rest].flatMap((level) => level.split(/\bUNION ALL\b/))
}

const tables = [...distributed, ...onEveryServer].join('|')

test('every statement names the organization at each level with a table, so that one server runs it', () => {
  for (const [name, statement] of Object.entries(statements)) {
    if (Object.keys(elsewhere).some((start) => name.startsWith(start))) continue
    let found = 0
    for (const level of levelsOf(statement)) {
      const touches = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+(?:${tables})\\b`).test(level)
      const isNamed = /\borganization = \$1/.test(level)
      const isGiven = /INSERT INTO \w+ \(organization\b/.test(level) && /\$1\b/.test(level)
      if (touches) found += 1
      if (touches) expect([name, level, isNamed || isGiven]).toEqual([name, level, true])
    }
    expect([name, found > 0 || /_xact_lock/.test(statement)]).toEqual([name, true])
  }
  const names = Object.keys(statements)
  for (const start of Object.keys(elsewhere)) expect(names.filter((name) => name.startsWith(start))).toHaveLength(1)
})

test('a statement for all organizations joins rows of the same organization only, so that each server runs its part', async () => {
  const found: string[] = []
  const recorded = (run: Run): Run =>
    ((text, values) => {
      found.push(text)
      return run(text, values)
    }) as Run
  // A proxy may have a single connection to the database, so a round must not need two at once.
  const { connection } = backend
  const single = await openDatabase({ connection, areStatementsNamed: false, connectionsMax: 1, isPatient: true })
  onTestFinished(() => single.close())
  const database: Database = {
    ...{ ...single, run: recorded(single.run) },
    transact: (work) => single.transact((run) => work(recorded(run))),
  }
  expect(await tidy(database, { remove: async () => undefined })).toBe(true)
  expect(found.length).toBeGreaterThan(20)
  for (const statement of found) {
    const joined = statement.match(/\bJOIN \w+|\(SELECT FROM \w+/g)?.length ?? 0
    const equal = statement.match(/(?:ON|WHERE) \w+\.organization = t\.organization/g)?.length ?? 0
    expect([statement, equal]).toEqual([statement, joined])
  }
})

test('a conflict is decided by comparing values, without functions: a cluster rejects anything else', () => {
  const conflicts = Object.entries(statements).filter(([, statement]) => statement.includes('ON CONFLICT'))
  expect(conflicts.length).toBeGreaterThan(3)
  for (const [name, statement] of conflicts) {
    const action = statement.slice(statement.indexOf('ON CONFLICT')).replace(/^ON CONFLICT \([^)]*\)/, '')
    expect([name, /[a-z]\(|\s[-+*/]\s|interval|current_|\bnow\b/i.test(action)]).toEqual([name, false])
  }
})

test('rows are given as VALUES: a cluster takes rows of a SELECT without a table to its coordinator, in two phases', () => {
  for (const [name, statement] of Object.entries(sql)) {
    if (!statement.includes('INSERT')) continue
    expect([name, /INSERT INTO \w+ \([^)]*\)\s+VALUES \(/.test(statement)]).toEqual([name, true])
    expect([name, /\bSELECT\b|unnest/.test(statement)]).toEqual([name, false])
  }
})

test('no statement leaves state behind after its transaction', () => {
  for (const [name, statement] of Object.entries(statements)) {
    const isLasting = /\b(?:LISTEN|PREPARE|TEMP|TEMPORARY)\b|(?:^|;)\s*SET\b|pg_(?:try_)?advisory_lock/.test(statement)
    expect([name, isLasting]).toEqual([name, false])
  }
})

async function ask<Row extends object>(question: string): Promise<Row[]> {
  return (await backend.database.run<Row & Record<string, unknown>>(question)).rows
}

test('every table of the schema is declared as distributed by organization or as present on every server', async () => {
  const found = await ask<{ table: string }>(
    `SELECT c.relname AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r' ORDER BY 1`,
  )
  expect(found.map(({ table }) => table)).toEqual([...distributed, ...onEveryServer].toSorted())
})

test('every key, unique index and reference of a distributed table begins with the organization', async () => {
  const constraints = await ask<{ table: string; kind: string; first: string; target: string }>(
    `SELECT c.conrelid::regclass::text AS table, c.contype AS kind, c.confrelid::regclass::text AS target,
      (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = c.conkey[1]) AS first
    FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
    WHERE n.nspname = current_schema() AND c.contype IN ('p', 'u', 'f')`,
  )
  const indexes = await ask<{ table: string; first: string }>(
    `SELECT i.indrelid::regclass::text AS table, pg_get_indexdef(i.indexrelid, 1, false) AS first
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND i.indisunique
      AND c.relname <> 'organizations' OR i.indisprimary AND i.indrelid = 'organizations'::regclass`,
  )
  for (const table of distributed) {
    const own = constraints.filter((constraint) => constraint.table === table)
    expect([table, own.some(({ kind }) => kind === 'p')]).toEqual([table, true])
    for (const { first, kind, target } of own) {
      expect([table, first]).toEqual([table, 'organization'])
      if (kind === 'f') expect(distributed).toContain(target)
    }
    for (const index of indexes)
      if (index.table === table) expect([table, index.first]).toEqual([table, 'organization'])
  }
})
