/** The look of the documentation, added to that of the pages: contents, text and code side by side, one column on a phone. */

const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

export const style: string = `body.docs { max-width: 90rem }
.docs .banner { position: sticky; top: 0; z-index: 3; justify-content: flex-start; background: var(--ground) }
.docs .site { display: flex; gap: 1.25rem; margin-inline-end: auto }
.docs .site a, .docs .to-contents { color: inherit; text-decoration: none; padding-block: .25rem }
.docs .site a:hover { text-decoration: underline }
.to-search { padding: .35rem .9rem; font-weight: 400; color: var(--quiet); background: var(--ground); border: 1px solid var(--quiet) }
kbd { font: inherit; padding: 0 .35em; border: 1px solid var(--line); border-radius: .25em } .docs .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 14rem; gap: 2.5rem; align-items: start }
.docs.reference .columns { grid-template-columns: 15rem minmax(0, 1fr) }
.docs .contents, .docs .sections { position: sticky; top: 4.5rem; max-height: calc(100vh - 5.5rem); overflow-y: auto; font-size: .92rem }
.docs nav p { margin: 1rem 0 .25rem; font-weight: 700 } .docs nav p:first-of-type { margin-top: 0 }
.docs .to-contents, .docs .close { display: none } .docs nav ul, .on-page ul { list-style: none; margin: 0; padding: 0 }
.docs nav li a, .on-page a { display: block; padding: .2rem .5rem; border-inline-start: 2px solid var(--line); color: inherit; text-decoration: none }
.docs nav li li a { padding-inline-start: 1rem; font-size: .88rem } .docs nav li a:hover, .on-page a:hover { text-decoration: underline }
.docs nav a[aria-current] { border-color: var(--accent); color: var(--link); font-weight: 600 }
.docs .depth-3 a { padding-inline-start: 1.25rem } .method { display: inline-block; min-width: 2.9em; font-size: .8em; color: var(--string) } .docs main { min-width: 0 }
.docs main :is(p, li, dd) { max-width: 36rem } .docs h1 { margin-top: 0 } .docs h2 { margin-top: 2.5rem; scroll-margin-top: 4.5rem }
.docs .on-page { margin-bottom: 1rem } html:not([data-language]) :is(.to-search, .try, .languages) { display: none }
dialog.search { width: min(40rem, calc(100vw - 2rem)); max-height: 80vh; margin-block: 10vh auto; padding: 1rem; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .6em }
dialog.search::backdrop { background: rgb(0 0 0 / .5) } dialog.search input { max-width: none; margin: 0 }
dialog.search a { display: block; padding: .5rem .75rem; border-radius: .4em; color: inherit; text-decoration: none; font-size: .92rem }
dialog.search [aria-selected='true'] { background: var(--marked); outline: 1px solid var(--accent) }
mark { color: inherit; background: var(--removed); border-radius: .2em }
.docs .code { position: relative; background: var(--raised); border-radius: .4em; margin: .5rem 0 }
.docs pre { margin: 0; padding: .75em 1em; overflow-x: auto; border-radius: .4em; tab-size: 4; line-height: 1.5; direction: ltr; text-align: left }
.docs .code pre { padding-top: .25em } .docs :not(pre) > code { direction: ltr; unicode-bidi: isolate; padding: .1em .3em; border-radius: .25em; background: var(--raised) }
.languages { display: flex; gap: .25rem; margin-top: 1rem }
.languages button { padding: .25em .75em; color: var(--link); background: none; border: 1px solid var(--line); font-size: .9rem }
.languages button[aria-pressed='true'] { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
html[data-language='curl'] .sample:not([data-language='curl']), html[data-language='typescript'] .sample:not([data-language='typescript']),
html[data-language='python'] .sample:not([data-language='python']) { display: none } .table { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; width: 100% } th, td { text-align: start; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); overflow-wrap: break-word }
.fields dt { margin-top: .9rem; padding-top: .6rem; border-top: 1px solid var(--line) } .fields dd { margin: .15rem 0 0 }
.docs h3 { margin: 1.75rem 0 .5rem } .endpoint { border-top: 1px solid var(--line); margin-top: 2.5rem }
.docs .endpoint h2 { margin-top: 1.5rem } .docs h1 + .endpoint, .on-page + .endpoint { border: 0; margin-top: 0 }
summary { cursor: pointer; padding: .25rem 0; color: var(--link); font-weight: 600 } .errors { margin-top: 1.5rem }
.try form { display: grid; gap: .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: .4em }
.try textarea { display: block; width: 100%; field-sizing: content; margin-top: .35rem; padding: .6em; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .4em; font: .875em/1.5 ${mono} }
.try form p { margin: 0 } .try button { justify-self: start } .good { color: var(--string); font-weight: 600 }
.example { margin: 1rem 0; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1rem }
.example figcaption { grid-column: 1 / -1; margin: 0 } .example figcaption a { color: inherit; text-decoration: none } .example figcaption a:hover { text-decoration: underline }
.example:target figcaption a { color: var(--link); font-weight: 600 } .example pre { white-space: pre-wrap; overflow-wrap: anywhere }
.example > .blockmark { padding: .5em 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line) }
.example .h1, .example .h2 { font-weight: 700; font-size: 1.3em; line-height: 1.25 } .example .h2 { font-size: 1.1em }
.ways { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-weight: 600 }
@media (min-width: 70rem) {
  .endpoint { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2.5rem }
  .calls { position: sticky; top: 4.5rem; align-self: start; max-height: calc(100vh - 5.5rem); overflow-y: auto }
  /* A form and its response do not scroll in a box. */
  .calls:has(> .try[open]) { position: static; max-height: none }
}
@media (min-width: 80rem) { .docs:not(.reference) .on-page { display: none } }
@media (max-width: 79.99rem) {
  .docs .columns { grid-template-columns: 15rem minmax(0, 1fr) } .docs .sections { display: none }
}
@media (max-width: 55rem) {
  /* The contents cover the page while the URL names them, which needs no script. */
  .docs .columns, .docs.reference .columns { display: block } .docs .contents { display: none }
  .docs .contents:target { display: block; position: fixed; inset: 0; z-index: 4; max-height: none; padding: 1rem; background: var(--ground) }
  .docs .to-contents { display: inline } .docs .close { display: block; padding: .5rem 0; text-align: end; font-weight: 600 }
  .docs nav li a { padding-block: .45rem } .docs .banner { position: static } .docs h2 { scroll-margin-top: 1rem } .example { grid-template-columns: minmax(0, 1fr) }
}
@media (max-width: 36rem) { .docs .site { order: 1; width: 100% } .docs .home { margin-inline-end: auto } }
@media (hover: none) { kbd { display: none } }
@media (forced-colors: active) {
  .docs :is(:not(pre) > code, .code, .example pre) { border: 1px solid }
  .languages button[aria-pressed='true'], dialog.search [aria-selected='true'], .docs nav a[aria-current] { outline: 3px solid Highlight; outline-offset: -3px }
}
@media print {
  .docs :is(.contents, .sections, .to-contents, .site, .to-search, .on-page, .languages, .try, .ways) { display: none }
  .docs .columns, .docs .endpoint { display: block } .calls { max-height: none; overflow: visible }
  html[data-language] .docs .sample[data-language] { display: block }
  .docs details::details-content { content-visibility: visible; block-size: auto } .docs pre { white-space: pre-wrap }
}
`
