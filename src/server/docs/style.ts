/** The look of the documentation, beside that of the pages: three columns, one on a phone, none but the text on paper. */

export const style: string = `body.docs { max-width: 88rem }
.docs .columns { display: grid; grid-template-columns: 14rem minmax(0, 1fr) 13rem; gap: 2.5rem; align-items: start }
.docs .contents, .docs .sections { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: .92rem }
.docs nav p { margin: 1rem 0 .25rem; font-weight: 700 }
.docs .to-contents { display: none }
.docs .contents ul, .docs .sections ul { list-style: none; margin: 0; padding: 0 }
.docs nav li { margin: 0 }
.docs nav li a { display: block; padding: .2rem .5rem; border-inline-start: 2px solid var(--line); color: inherit; text-decoration: none }
.docs nav li a:hover { text-decoration: underline }
.docs nav a[aria-current] { border-color: var(--accent); color: var(--link); font-weight: 600 }
.docs .depth-3 a { padding-inline-start: 1.25rem }
.docs main { min-width: 0 }
.docs h1 { margin-top: .5rem }
.docs h2 { margin-top: 2.5rem }
.search { display: flex; gap: .5rem; align-items: center }
.search label { font-weight: 400; color: var(--quiet) }
.search input:not([type='hidden']) { width: 16rem; max-width: 60vw; margin: 0; padding: .35em .6em }
html:not([data-language]) .search, html:not([data-language]) .try, html:not([data-language]) .languages { display: none }
#found { border: 1px solid var(--line); border-radius: .4em; padding: .5rem 1rem; background: var(--raised); margin-bottom: 1rem }
#found p { margin: .1rem 0 .5rem }
.docs .code { position: relative; background: var(--raised); border-radius: .4em; margin: .5rem 0 }
.docs pre { margin: 0; padding: .75em 1em; overflow-x: auto; background: var(--raised); border-radius: .4em; tab-size: 4 }
.docs :not(pre) > code { padding: .1em .3em; border-radius: .25em; background: var(--raised) }
.docs .code .copy { top: .2rem; background: var(--raised) }
.label { margin: .75rem 0 0; color: var(--quiet); font-size: .875rem; font-weight: 600 }
.languages { display: flex; gap: .25rem; margin-top: 1rem }
.languages button { padding: .25em .75em; color: var(--link); background: none; border: 1px solid var(--line); font-size: .9rem }
.languages button[aria-pressed='true'] { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
html[data-language] .sample > .label { display: none }
html[data-language='curl'] .sample:not([data-language='curl']), html[data-language='typescript'] .sample:not([data-language='typescript']),
html[data-language='python'] .sample:not([data-language='python']) { display: none }
.table { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; width: 100% }
caption { text-align: start; color: var(--quiet); font-size: .875rem; font-weight: 600; padding-bottom: .25rem }
th, td { text-align: start; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); overflow-wrap: break-word }
.fields th { font-weight: 400; width: 13rem }
.endpoint { border-top: 1px solid var(--line); margin-top: 2.5rem }
h1 + .endpoint { border: 0; margin-top: 0 }
h1 + .endpoint h2 { margin-top: 1rem }
.address { font-size: 1.05rem }
summary { cursor: pointer; padding: .25rem 0; color: var(--link) }
.try form { display: grid; gap: .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: .4em }
.try textarea { display: block; width: 100%; margin-top: .35rem; padding: .6em; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .4em; font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.try form p { margin: 0 }
.try button { justify-self: start }
.example { margin: 1rem 0; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1rem }
.example figcaption { grid-column: 1 / -1; margin: 0 }
.example figcaption a { color: inherit; text-decoration: none }
.example figcaption a:hover { text-decoration: underline }
.example:target figcaption a { color: var(--link); font-weight: 600 }
.example pre { white-space: pre-wrap; overflow-wrap: anywhere }
.example > .blockmark { padding: .5em 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line) }
.example .h1, .example .h2 { font-weight: 700; font-size: 1.3em; line-height: 1.25 }
.example .h2 { font-size: 1.1em }
.ways { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-weight: 600 }
@media (max-width: 80rem) {
  .docs .columns { grid-template-columns: 13rem minmax(0, 1fr) }
  .docs .sections { display: none }
}
@media (max-width: 60rem) {
  /* The text comes first; a link at the top leads to the contents below it. */
  .docs .columns { display: flex; flex-direction: column; align-items: stretch }
  .docs main { order: -1 }
  .docs .contents { position: static; max-height: none }
  .docs .to-contents { display: inline }
  .example { grid-template-columns: minmax(0, 1fr) }
}
@media (max-width: 40rem) { .fields th { width: 8rem } }
@media print {
  .docs .contents, .docs .sections, .docs .to-contents, .search, .languages, .try, .ways { display: none }
  .docs .columns { display: block }
  html[data-language] .docs .sample[data-language], html[data-language] .sample > .label { display: block }
  .docs details::details-content { content-visibility: visible; block-size: auto }
  .docs pre { white-space: pre-wrap }
}
`
