/** The look of the pages: light and dark, from a phone to a wide screen, in either direction, and on paper. */

const colours = `:root {
  color-scheme: light dark;
  --text: #1f2328; --quiet: #57606a; --ground: #fff; --raised: #f3f5f7; --line: #d4d9df;
  --link: #0a56b8; --accent: #0a56b8; --on-accent: #fff; --marked: #fff6d6; --marked-line: #b98900; --alert: #a11a1a
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e8eb; --quiet: #a6aeb8; --ground: #16181c; --raised: #22252b; --line: #3b414a;
    --link: #8dbbff; --accent: #8dbbff; --on-accent: #0e1726; --marked: #2e2812; --marked-line: #d9a514; --alert: #ff9b9b
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
dd { margin-inline-start: 1.5em }`

const message = `.message { padding: .75rem 0; scroll-margin-block: 4rem }
.message > header { display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline }
.author { unicode-bidi: isolate }
.when { color: var(--quiet); font-size: .875rem; text-decoration: none }
.when:hover { text-decoration: underline }
.message[aria-current] {
  background: var(--marked); border-inline-start: 4px solid var(--marked-line); border-radius: .25em;
  padding-inline: .75rem; margin-inline: -1rem
}
.message[aria-current]:focus-visible { outline-offset: -2px }
.messages > li + li, .comments > ol > li + li { border-top: 1px solid var(--line) }
.comments { border-top: 1px solid var(--line); margin-top: 1.5rem }
.comments li > ol { border-inline-start: 2px solid var(--line); padding-inline-start: clamp(.6rem, 2.5vw, 1.25rem) }
.comments ol ol ol ol ol ol { border: 0; padding: 0 }
.comments li li > .message > .answers { display: none }
.answers { margin: 0; color: var(--quiet); font-size: .875rem }
.deleted { color: var(--quiet); font-style: italic }
.content { overflow: clip; overflow-clip-margin: .5rem }
.content > :first-child { margin-top: .35rem }
.content > :last-child { margin-bottom: .25rem }
.content h1 { font-size: 1.45rem }
.content h1, .content h2, .content p, .content li, figcaption { unicode-bidi: plaintext; text-align: start }
.content p, .content ul, .code, .attachment, .file { margin: .6em 0 }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--raised); border-radius: .25em; padding: .1em .3em }
pre { margin: 0; tab-size: 4; direction: ltr; text-align: left }
pre code { display: block; padding: 0; background: none; overflow-wrap: normal }
.code, main > pre { overflow-x: auto; background: var(--raised); border-radius: .4em; padding: .75em 1em }
.code pre { width: max-content; min-width: 100% }
.mention { background: var(--raised); border-radius: .25em; padding: 0 .2em; font-weight: 600; unicode-bidi: isolate }
.file { color: var(--quiet) }
.attachment { margin-inline: 0 }
.attachment .file { margin: 0 }
.attachment:not(.image, .video) { border: 1px solid var(--line); border-radius: .4em; padding: .6em .85em }
figcaption { color: var(--quiet); font-size: .875rem; margin-top: .25em }
img { display: block; max-width: 100%; height: auto; max-height: 34rem; object-fit: contain; object-position: 0 0; border-radius: .4em; background: var(--raised) }
[dir='rtl'] img, .content:dir(rtl) img { object-position: 100% 0 }
img:not([width]) { width: 100%; height: 20rem }
video { display: block; width: 100%; aspect-ratio: 16 / 9; max-height: 34rem; background: #000; border-radius: .4em }`

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
@media (forced-colors: active) { .message[aria-current], .mention { border: 1px solid } }
@media print {
  body { max-width: none; padding: 0; color: #000; background: #fff }
  .banner form, .banner a:not(.home), .skip, .pages, .up { display: none }
  pre code { white-space: pre-wrap; overflow-wrap: anywhere }
  .code pre { width: auto }
  .message, .threads > li, figure { break-inside: avoid-page }
  .content a[href^='http']::after { content: ' (' attr(href) ')'; font-size: .8em }
}`

export const style: string = `${[colours, page, message, forms, media].join('\n')}\n`
