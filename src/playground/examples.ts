/** Example messages. */

export interface Example {
  readonly name: string
  readonly text: string
  /** Absent for blockmark. */
  readonly dialect?: string
}

/** The examples; the first one is what a new reader sees. */
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

Tell us in https://chat.example.com/c/deploys_live, please:

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
    name: 'Marks next to words',
    text: '**Status:**OK\n**注意：**正文\nun**believ**able, but not f**k\n_underlined_, -struck-, *emphasized*, **strong**',
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
    name: 'A report of a build',
    text: '## Build 1234 failed\n\n* **lint:** expected ** got *\n* **test:** 3 of 912, see https://ci.example.com/b/1_234\n\n```diff\n-const limit = 10\n+const limit = 100\n```\n\n<@7|Ann>, can you look?',
  },
  {
    name: 'Slack, as people type it',
    dialect: 'slack',
    text: '*Deploy* is ~late~ _done_, see <https://ci.example.com/7|the log>\n> thanks to <@U012AB3CD|ann>\n• `core_api`\n• `web`',
  },
  {
    name: 'Slack’s blocks, as JSON',
    dialect: 'slack',
    text: '{\n  "blocks": [\n    { "type": "header", "text": { "type": "plain_text", "text": "Deploy" } },\n    { "type": "section", "text": { "type": "mrkdwn", "text": "*core_api* is out, <https://ci.example.com/7|the log>" } },\n    { "type": "divider" }\n  ]\n}',
  },
]
