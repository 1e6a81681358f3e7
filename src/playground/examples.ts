/** Example messages. */

export interface Example {
  readonly name: string
  readonly text: string
  /** The dialect of the text; absent for blockmark. */
  readonly dialect?: string
}

/** The examples. A new reader sees the first one. */
export const examples: readonly Example[] = [
  {
    name: 'What a model wrote',
    dialect: 'markdown',
    text: `### Why the build is slow

The test step takes **4 of 5 minutes**. Three things help:

1. Run \`npm ci\` with a cache, see [the guide](https://docs.example.com/ci/cache)
2. Split the tests:
   - unit tests in \`src/**/*.test.ts\`
   - browser tests only on ~~every push~~ *main*
3. Raise \`max_workers\`

\`\`\`yaml
cache: node_modules
max_workers: 4
\`\`\`

> Measure first, then change one thing.

| step | before | after |
| --- | ---: | ---: |
| install | 50 s | 9 s |
| test | 240 s | 70 s |
`,
  },
  {
    name: 'Everything once',
    text: `# Release 2.4 is live

Deployed by <@12345678901|Ann Lee> at 14:05, **12 minutes** after the merge of release_2.4.
Downtime: _none_. The old -blue- green fleet is gone, *for good* this time.

## What changed

* **Search** finds \`snake_case\` names
* **Uploads** take 512 MB, see [the guide](https://docs.example.com/files/upload_limits)

\`\`\`sh
./deploy --service web --rollback 2.3.7
\`\`\`

<!12345678910|latency.png>`,
  },
  {
    name: 'What stays as typed',
    text: `snake_case, __init__, well-known, 2026-11-20, --flag, :-), -_-, a * b, x**2 + y**2
src/**/*.ts, C:\\Users, \\\\server\\share, https://example.com/a_b_c, List<@NonNull>
### no third heading
- no dash list
1. no numbers
> no quotes`,
  },
  {
    name: 'Escapes and code',
    text: 'A backslash: \\*not emphasized\\*, \\_nor underlined\\_\nCode: `a * b`, `` a ` b ``\n¯\\_(ツ)_/¯',
  },
  {
    name: 'Right to left',
    text: 'مرحبا **بالعالم** <@7|ليلى>\nשלום _עולם_, https://example.com/עברית\n\nA line from the left.',
  },
  {
    name: 'Slack, as people type it',
    dialect: 'slack',
    text: '*Deploy* is ~late~ _done_, see <https://ci.example.com/7|the log>\n> thanks to <@U012AB3CD|ann>\n• `core_api`\n• `web`',
  },
]
