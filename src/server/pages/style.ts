/** The look of the pages: light and dark, from a phone to a wide screen, in either direction, and on paper. */

import rendered from '../../page/style.css'

const colours = `:root {
  color-scheme: light dark;
  --text: #1f2328; --quiet: #57606a; --ground: #fff; --raised: #f3f5f7; --line: #d4d9df;
  --link: #0a56b8; --accent: #0a56b8; --on-accent: #fff; --marked: #edf4fe; --alert: #a11a1a;
  --comment: #59636e; --keyword: #a0207a; --string: #0b6125; --number: #8a4600; --title: #6b36c4; --type: #0a56b8;
  --added: #dff5e3; --removed: #fde4e1;
  --blockmark-raised: var(--raised); --blockmark-line: var(--line)
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --text: #e6e8eb; --quiet: #a6aeb8; --ground: #16181c; --raised: #22252b; --line: #3b414a;
    --link: #8dbbff; --accent: #8dbbff; --on-accent: #0e1726; --marked: #1c2738; --alert: #ff9b9b;
    --comment: #a6aeb8; --keyword: #ff9ad5; --string: #8fdc9b; --number: #ffc078; --title: #c9b0ff; --type: #8dbbff;
    --added: #17351f; --removed: #47201d
  }
}`

const page = `* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-block: 4rem }
body {
  margin: 0 auto; max-width: 46rem; padding: 0 1rem 4rem; color: var(--text); background: var(--ground);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; overflow-wrap: anywhere
}
a { color: var(--link); text-underline-offset: .15em }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2em }
main:focus { outline: none }
h1, h2, h3 { line-height: 1.25; margin: 1.5em 0 .5em; text-wrap: balance }
h1 { font-size: 1.6rem }
h2 { font-size: 1.25rem }
h3 { font-size: 1.05rem }
.quiet { color: var(--quiet); font-size: .9rem }
.unseen, .skip:not(:focus) {
  position: absolute; width: 1px; height: 1px; margin: 0; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap
}
.skip { display: inline-block; padding: .5em 0 }
.banner {
  display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between;
  padding: .75rem 0; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem
}
.banner .home { color: inherit; font-weight: 700; text-decoration: none }
.banner a, .banner button { padding-block: .25rem }
.banner form { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center }
.viewer { color: var(--quiet) }
.up { margin: 0 0 .75rem }
.up a { font-weight: 600 }
ol, ul { padding-inline-start: 1.5em }
.threads, .messages, .comments ol { list-style: none; padding: 0; margin: 0 }
.threads > li { padding: 1rem 0; border-bottom: 1px solid var(--line) }
.threads h2 { margin: 0 0 .25rem; font-size: 1.1rem }
.threads p { margin: .25rem 0 0 }
.preview { white-space: pre-line; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden }
.places { list-style: none; padding: 0 }
.places li { padding: .35rem 0 }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: 1rem 0; font-weight: 600 }
time { font-variant-numeric: tabular-nums; white-space: nowrap }
dt { margin-top: .75em }
dd { margin-inline-start: 1.5em }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
main > pre { overflow-x: auto; background: var(--raised); border-radius: .4em; padding: .75em 1em }`

const message = `.message { padding: .75rem 0; scroll-margin-block: 4rem }
.message > header {
  position: relative; display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline; padding-inline-end: 6rem
}
.tag {
  padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); background: var(--ground);
  font-size: .75rem; font-weight: 600; white-space: nowrap; vertical-align: middle
}
.author { unicode-bidi: isolate }
.when { color: var(--quiet); font-size: .875rem; text-decoration: none }
.when:hover { text-decoration: underline }
.message[aria-current] {
  background: var(--marked); border-inline-start: 3px solid var(--accent); border-radius: .25em;
  padding-inline: .75rem; margin-inline: -.9rem -.75rem
}
/* It is where reading begins, and nothing to press. */
.message[aria-current]:focus { outline: none }
.messages > li, .comments > ol > li + li { border-top: 1px solid var(--line) }
.messages > li, .comments ol > li { position: relative }
.messages, .comments > ol { margin-top: 1rem }
/* On the line between two days, where it takes no room: it may come to stand elsewhere in the reader's zone. */
.day {
  position: absolute; top: 0; inset-inline: 0; margin: 0; translate: 0 -50%; text-align: center; pointer-events: none;
  color: var(--quiet); font-size: .8rem; font-weight: 600; line-height: inherit
}
/* Between answers there is no line of their own. */
.comments li li > .day::before {
  content: ''; position: absolute; inset: 50% 0 auto; z-index: -1; border-top: 1px solid var(--line)
}
.day time { padding: 0 .75rem; background: var(--ground) }
.order { margin: .25rem 0 }
.comments { border-top: 1px solid var(--line); margin-top: 1.5rem }
.comments li > ol { border-inline-start: 2px solid var(--line); padding-inline-start: clamp(.6rem, 2.5vw, 1.25rem) }
.comments ol ol ol ol ol ol { border: 0; padding: 0 }
.comments li li > .message > .answers { display: none }
/* The tenth answer stands no further in than the fifth, so it says whom it answers. */
.comments ol ol ol ol ol ol > li > .message > .answers { display: block }
.answers { margin: 0; color: var(--quiet); font-size: .875rem }
.deleted { color: var(--quiet); font-style: italic }
.content { overflow: clip; overflow-clip-margin: .5rem }
.content > :first-child { margin-top: .35rem }
.content > :last-child { margin-bottom: .25rem }
.code, .attachment { margin: .6em 0 }
.code { position: relative; background: var(--raised); border-radius: .4em }
.language {
  margin: 0; padding: .3rem 6rem .1rem 1rem; color: var(--quiet); font-size: .8rem; direction: ltr; text-align: left;
  unicode-bidi: plaintext
}
.content .code pre { margin: 0; padding: .25em 1rem .75em; overflow-x: auto; white-space: pre; overflow-wrap: normal }
.copy {
  position: absolute; top: 0; inset-inline-end: 0; padding: .2rem .6rem; font-size: .8rem; line-height: 1.4; font-weight: 400;
  color: var(--link); background: none
}
.code .copy { right: .25rem; left: auto }
.copy:hover { text-decoration: underline }
/* Many of them are noise to whoever reads; a finger has nothing to point with first. */
@media (hover: hover) {
  .copy:not(:focus-visible) { opacity: 0 }
  .message:hover > header > .copy, .code:hover > .copy { opacity: 1 }
}
.file { color: var(--quiet) }
.attachment { margin-inline: 0 }
.attachment .file { margin: 0; padding: 0; border: 0 }
.attachment:not(.image, .video) { border: 1px solid var(--line); border-radius: .4em; padding: .6em .85em }
figcaption { color: var(--quiet); font-size: .875rem; margin-top: .25em; unicode-bidi: plaintext; text-align: start }
.picture { display: block; width: fit-content; max-width: 100% }
.picture:hover img { outline: 1px solid var(--line) }
img:not([width]) { width: 100%; height: 20rem }
[dir='rtl'] img, .content:dir(rtl) img { object-position: 100% 0 }
video { width: 100%; aspect-ratio: 16 / 9; background: #000 }`

/** Code in colours: the classes that the highlighter gives, each at least 4.5 to 1 on its ground. */
const code = `.hljs-comment, .hljs-quote, .hljs-meta { color: var(--comment) }
.hljs-keyword, .hljs-selector-tag, .hljs-built_in, .hljs-section, .hljs-doctag { color: var(--keyword) }
.hljs-string, .hljs-regexp, .hljs-symbol, .hljs-char, .hljs-meta .hljs-string { color: var(--string) }
.hljs-number, .hljs-literal, .hljs-variable, .hljs-template-variable { color: var(--number) }
.hljs-title, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: var(--title) }
.hljs-type, .hljs-attr, .hljs-attribute, .hljs-params .hljs-type, .hljs-link { color: var(--type) }
.hljs-emphasis { font-style: italic }
.hljs-strong { font-weight: 700 }
.hljs-addition { background: var(--added) }
.hljs-deletion { background: var(--removed) }
.hljs-addition, .hljs-deletion { display: inline-block; min-width: 100% }`

const forms = `input:not([type='hidden']) {
  display: block; width: 100%; max-width: 30rem; margin: .35rem 0; padding: .6em .75em; font: inherit;
  color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .4em
}
label { font-weight: 600 }
button {
  font: inherit; font-weight: 600; padding: .6em 1.4em; border: 0; border-radius: .4em; cursor: pointer;
  color: var(--on-accent); background: var(--accent)
}
button.plain { padding: .25em 0; color: var(--link); background: none; text-decoration: underline }
.alert { color: var(--alert); font-weight: 600 }
.sign-in .quiet { margin: .35rem 0 1rem }`

const media = `@media (min-width: 70rem) { body { max-width: 52rem } }
@media (forced-colors: active) { .message[aria-current] { border: 1px solid } }
@media print {
  :root { color-scheme: light }
  body { max-width: none; padding: 0; color: #000; background: #fff }
  .banner form, .banner a:not(.home), .skip, .pages, .up, .order a, .copy, figcaption a, .content video { display: none }
  .content .code pre { white-space: pre-wrap; overflow-wrap: anywhere }
  .code { border: 1px solid var(--line); background: none }
  .content .code pre { background: none }
  .message[aria-current] { background: none }
  .message, .threads > li, figure { break-inside: avoid-page }
  .content a[href^='http']:not(.bare)::after { content: ' (' attr(href) ')'; font-size: .8em }
}`

export const style: string = `${[rendered, colours, page, message, code, forms, media].join('\n')}\n`
