/** The languages whose code has colours: by the highlighter's name, what people call it, and what info strings call it. */

const languages: Readonly<Record<string, readonly [name: string, ...aliases: string[]]>> = Object.fromEntries(
  `bash:Bash,sh,zsh c:C,h cpp:C++,c++,cc,hpp csharp:C#,c#,cs css:CSS diff:Diff,patch dockerfile:Dockerfile,docker
  go:Go,golang graphql:GraphQL,gql ini:INI,cfg,conf java:Java javascript:JavaScript,js,jsx,mjs,cjs
  json:JSON,jsonc,ndjson kotlin:Kotlin,kt lua:Lua makefile:Makefile,make,mk markdown:Markdown,md perl:Perl,pl php:PHP
  python:Python,py r:R ruby:Ruby,rb rust:Rust,rs scala:Scala scss:SCSS,sass shell:Shell,console,shellsession
  sql:SQL,postgres,postgresql,mysql,sqlite swift:Swift typescript:TypeScript,ts,tsx,mts,cts xml:XML,html,svg,xhtml
  yaml:YAML,yml`
    .split(/\s+/)
    .map((row) => row.split(':'))
    .map(([key = '', names = '']) => [key, names.split(',') as [string, ...string[]]]), // split returns at least one
)

const byAlias = new Map(
  Object.entries(languages).flatMap(([key, [, ...aliases]]) => [key, ...aliases].map((alias) => [alias, key] as const)),
)

/** The highlighter's name of a language that an info string names; null where it knows none of this name. */
export function languageKey(language: string): string | null {
  return byAlias.get(language.toLowerCase()) ?? null
}

/** What a language is called, `TypeScript` for `ts`; as the info string has it where it is unknown. */
export function languageName(language: string): string {
  if (/^html$/i.test(language)) return 'HTML'
  return languages[languageKey(language) ?? '']?.[0] ?? language
}
