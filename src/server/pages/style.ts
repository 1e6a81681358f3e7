/** The look of the pages: light and dark, from a phone to a wide screen, in either direction, and on paper. */

import rendered from '../../page/style.css'

const colors = `:root {
  color-scheme: light dark;
  --text: #1f2328; --quiet: #57606a; --ground: #fff; --raised: #f3f5f7; --line: #d4d9df;
  --link: #0a56b8; --accent: #0a56b8; --on-accent: #fff; --marked: #edf4fe; --alert: #a11a1a;
  --comment: #59636e; --keyword: #a0207a; --string: #0b6125; --number: #8a4600; --title: #6b36c4; --type: #0a56b8;
  --added: #dff5e3; --removed: #fde4e1; --letter: 100%; --shade: 36%; --edge: rgb(0 0 0 / .18);
  --blockmark-raised: var(--raised); --blockmark-line: var(--line)
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --text: #e6e8eb; --quiet: #a6aeb8; --ground: #16181c; --raised: #22252b; --line: #3b414a;
    --link: #8dbbff; --accent: #8dbbff; --on-accent: #0e1726; --marked: #1c2738; --alert: #ff9b9b;
    --comment: #a6aeb8; --keyword: #ff9ad5; --string: #8fdc9b; --number: #ffc078; --title: #c9b0ff; --type: #8dbbff;
    --added: #17351f; --removed: #47201d; --letter: 10%; --shade: 72%; --edge: rgb(0 0 0 / .6)
  }
}`

const page = `* { box-sizing: border-box } html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-block: 4rem }
body { margin: 0 auto; max-width: 46rem; padding: 0 1rem 4rem; color: var(--text); background: var(--ground); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; overflow-wrap: anywhere }
a { color: var(--link); text-underline-offset: .15em } a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2em } main:focus { outline: none }
h1, h2, h3 { line-height: 1.25; margin: 1.5em 0 .5em; text-wrap: balance } h1 { font-size: 1.6rem } h2 { font-size: 1.25rem }
h3 { font-size: 1.05rem } .quiet { color: var(--quiet); font-size: .9rem }
.unseen, .skip:not(:focus), .continued > .message > header > :is(.author, .avatar) { position: absolute; width: 1px; height: 1px; margin: 0; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { display: inline-block; padding: .5em 0 }
.banner { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; padding: .75rem 0; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem }
.banner .home { color: inherit; font-weight: 700; text-decoration: none } .banner a, .banner button { padding-block: .25rem }
.banner form { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center } .viewer { color: var(--quiet) }
.up { margin: 0 0 .75rem } .up a { font-weight: 600 }
.up a::before { content: '‹'; content: '‹' / ''; display: inline-block; padding-inline-end: .3em }
.place { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; padding: .5rem 0; margin: -1.5rem -.5rem .5rem; padding-inline: .5rem; background: var(--ground); border-bottom: 1px solid var(--line) }
.place > * { margin: 0 } .place h1 { font-size: 1.2rem } .news { margin-inline-start: auto } ol, ul { padding-inline-start: 1.5em }
.threads, .messages, .comments ol { list-style: none; padding: 0; margin: 0 }
.threads > li { padding: 1rem 0; border-bottom: 1px solid var(--line) } .threads h2 { margin: 0 0 .25rem; font-size: 1.1rem } .threads p { margin: .25rem 0 0 }
.preview { white-space: pre-line; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden }
.places { list-style: none; padding: 0 } .places li { padding: .4rem 0; border-top: 1px solid var(--line) } .places a { font-weight: 600 }
.latest { display: flex; gap: .75rem; justify-content: space-between; margin: 0 }
.latest > span { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.fresh { float: inline-end; padding: 0 .5rem; border-radius: 1rem; font-size: .8rem; color: var(--on-accent); background: var(--accent) }
@media (min-width: 48rem) { .lists { display: grid; grid-template-columns: 1fr 1fr; gap: 2.5rem } .lists > section { min-width: 0 } }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: 1rem 0; font-weight: 600 }
time { font-variant-numeric: tabular-nums; white-space: nowrap } time, .fresh { unicode-bidi: plaintext } dt { margin-top: .75em } dd { margin-inline-start: 1.5em }
code { font-size: .875em; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
main > pre { overflow-x: auto; background: var(--raised); border-radius: .4em; padding: .75em 1em }`

const message = `.message { position: relative; padding-block: .2rem; padding-inline: 3rem 2.25rem; margin-inline: -.5rem; border-radius: .3em; scroll-margin-block: 4rem }
.message > header { display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline; line-height: 1.35 }
.avatar { position: absolute; inset-inline-start: .5rem; top: .4rem; width: 2rem; height: 2rem; border-radius: .4rem; text-align: center; font-weight: 700; line-height: 2rem; color: hsl(0 0% var(--letter)); background: hsl(var(--hue) 45% var(--shade)) }
.tone-0 { --hue: 212 } .tone-1 { --hue: 262 } .tone-2 { --hue: 320 } .tone-3 { --hue: 355 }
.tone-4 { --hue: 22 } .tone-5 { --hue: 140 } .tone-6 { --hue: 175 } .tone-7 { --hue: 235 } .continued > .message { padding-block: 0 }
.continued > .message > header > .when { position: absolute; inset-inline-start: .5rem; top: .3rem; font-size: .7rem }
.menu { position: absolute; top: 0; inset-inline-end: 0; z-index: 1 }
.menu summary { width: 2rem; height: 1.75rem; list-style: none; text-align: center; line-height: 1.75rem; font-size: .6rem; cursor: pointer; border-radius: .3em; color: var(--quiet); letter-spacing: .1em }
.menu summary::-webkit-details-marker { display: none } .menu summary:hover { background: var(--line) }
.menu div { position: absolute; inset-inline-end: 0; top: 100%; display: grid; min-width: 9rem; padding: .25rem; background: var(--ground); border: 1px solid var(--line); border-radius: .4em; box-shadow: 0 .25rem 1rem rgb(0 0 0 / .2) }
.menu .copy { position: static; padding: .5rem .75rem; font-size: .9rem; text-align: start }
@media (hover: none) {
  .menu { inset-inline-end: -.5rem } .menu summary { width: 2.75rem; height: 2.75rem; line-height: 2.75rem }
  .menu .copy { min-height: 2.75rem }
}
@media screen and (hover: hover) {
  .message:hover { background: var(--raised) } .message:not(:hover, :focus-within) > header > .menu:not([open]) { opacity: 0 }
}
@media (max-width: 40rem) {
  .message { padding-inline: 2.6rem 1.75rem } .avatar { inset-inline-start: .25rem; width: 1.75rem; height: 1.75rem; line-height: 1.75rem }
  .continued > .message > header > .when { inset-inline-start: .2rem }
}
.tag { padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); background: var(--ground); font-size: .75rem; font-weight: 600; white-space: nowrap; vertical-align: middle }
.author { unicode-bidi: isolate } .when { color: var(--quiet); font-size: .875rem; text-decoration: none }
.when:hover { text-decoration: underline } .message:is([aria-current], :target) { background: var(--marked); box-shadow: inset 3px 0 var(--accent) }
/* The author, the time and the replies are on the side where the text begins. */
:is(.message, li):has(> .content:dir(ltr), > .message > .content:dir(ltr)) { direction: ltr } :is(.message, li):has(> .content:dir(rtl), > .message > .content:dir(rtl)) { direction: rtl }
.message:is([aria-current], :target):has(> .content:dir(rtl)) { box-shadow: inset -3px 0 var(--accent) }
/* The focus only marks where reading begins, so it has no outline. */
.message[aria-current]:focus, #latest:focus { outline: none } .messages, .comments > ol { margin-top: .5rem }
.day { display: flex; gap: .75rem; align-items: center; margin: .9rem 0 .35rem; color: var(--quiet); font-size: .8rem; font-weight: 600 }
.day::before, .day::after { content: ''; flex: 1; border-top: 1px solid var(--line) } .zone { margin-inline-start: -.5rem }
.order { margin: .25rem 0 } .comments { border-top: 1px solid var(--line); margin-top: 1.5rem }
.comments li > ol { border-inline-start: 2px solid var(--line); margin-inline-start: 1rem; padding-inline-start: .75rem }
.comments ol ol ol ol ol ol { border: 0; margin: 0; padding: 0 } .comments li li > .message > .in-reply { display: none }
/* The tenth reply is indented like the fifth, so it names the author that it replies to. */
.comments ol ol ol ol ol ol > li > .message > .in-reply { display: block } .in-reply { margin: 0; color: var(--quiet); font-size: .875rem }
.deleted { color: var(--quiet); font-style: italic } .content { overflow: clip; overflow-clip-margin: .5rem }
.code, .attachment { margin: .6em 0 } .code { position: relative; background: var(--raised); border-radius: .4em }
.language { margin: 0; padding: .3rem 6rem .1rem 1rem; color: var(--quiet); font-size: .8rem; direction: ltr; text-align: left; unicode-bidi: plaintext }
.content .code pre { margin: 0; padding: .25em 1rem .75em; overflow-x: auto; white-space: pre; overflow-wrap: normal }
/* A shadow at each edge where code is cut; the covers over the shadows move with the code. */
.content .code pre, .docs pre { --cover: var(--raised) 50%, transparent; --shadow: var(--edge), transparent; background: linear-gradient(90deg, var(--cover)) 0 / 2.5rem local, linear-gradient(-90deg, var(--cover)) 100% / 2.5rem local, linear-gradient(90deg, var(--shadow)) 0 / .75rem, linear-gradient(-90deg, var(--shadow)) 100% / .75rem, var(--raised); background-repeat: no-repeat }
.code:has(> .fold) { display: flex; flex-direction: column } .fold { order: 1 }
.fold:not([open]) ~ pre { max-height: 20lh; overflow-y: hidden }
.fold summary { padding: .4rem 1rem; color: var(--link); font-size: .875rem; font-weight: 600; cursor: pointer; border-top: 1px solid var(--line) }
.fold[open] span:first-child, .fold:not([open]) span:last-child { display: none }
.bare.long { display: inline-block; max-width: min(100%, 60ch); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; direction: ltr; text-indent: 0 }
.copy { position: absolute; top: 0; inset-inline-end: 0; padding: .2rem .6rem; font-size: .8rem; line-height: 1.4; font-weight: 400; color: var(--link); background: none }
.code .copy { right: .25rem; left: auto } .copy:hover { text-decoration: underline } .file { color: var(--quiet) }
.attachment { margin-inline: 0 } .attachment .file { margin: 0; padding: 0; border: 0 }
.attachment:not(.image, .video) { border: 1px solid var(--line); border-radius: .4em; padding: .6em .85em }
figcaption { color: var(--quiet); font-size: .875rem; margin-top: .25em; unicode-bidi: plaintext; text-align: start }
.picture { display: block; width: fit-content; max-width: 100% } .picture img { border: 1px solid var(--line) }
.messages .picture { max-width: 22rem } img:not([width]) { width: 100%; height: 20rem }
[dir='rtl'] img, .content:dir(rtl) img { object-position: 100% 0 } video { width: 100%; aspect-ratio: 16 / 9; background: #000 }`

/** Code in colors: the classes that the highlighter gives, each at least 4.5 to 1 on its ground. */
const code = `.hljs-comment, .hljs-quote, .hljs-meta { color: var(--comment) }
.hljs-keyword, .hljs-selector-tag, .hljs-built_in, .hljs-section, .hljs-doctag { color: var(--keyword) }
.hljs-string, .hljs-regexp, .hljs-symbol, .hljs-char, .hljs-meta .hljs-string { color: var(--string) }
.hljs-number, .hljs-literal, .hljs-variable, .hljs-template-variable { color: var(--number) }
.hljs-title, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: var(--title) }
.hljs-type, .hljs-attr, .hljs-attribute, .hljs-params .hljs-type, .hljs-link { color: var(--type) } .hljs-emphasis { font-style: italic }
.hljs-strong { font-weight: 700 } .hljs-addition { background: var(--added) } .hljs-deletion { background: var(--removed) }
/* Rows that touch, as wide as their block. */
.hljs-addition, .hljs-deletion { display: inline-block; min-width: calc(100% + 2rem); margin-inline: -1rem; padding-inline: 1rem; vertical-align: top }`

const forms = `input:not([type='hidden']) { display: block; width: 100%; max-width: 30rem; margin: .35rem 0; padding: .6em .75em; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .4em }
label { font-weight: 600 } button { font: inherit; font-weight: 600; padding: .6em 1.4em; border: 0; border-radius: .4em; cursor: pointer; color: var(--on-accent); background: var(--accent) }
button.plain { padding: .25em 0; color: var(--link); background: none; text-decoration: underline }
.alert { color: var(--alert); font-weight: 600 } .sign-in .quiet { margin: .35rem 0 1rem }`

const media = `@media (min-width: 70rem) { body { max-width: 52rem } }
@media (forced-colors: active) {
  .message[aria-current], .avatar, .code { border: 1px solid } .content .code pre { border: 0 } .content .code pre, .docs pre { background: none }
  .hljs-addition, .hljs-deletion { border-inline-start: 3px solid } .hljs-deletion { border-inline-start-style: dotted }
}
@media print {
  :root { color-scheme: light } body { max-width: none; padding: 0; color: #000; background: #fff }
  .banner form, .banner a:not(.home), .skip, .pages, .up, .news, .order a, .copy, .menu, .fold, figcaption a, .content video { display: none }
  .content .code pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: none }
  .bare.long { display: inline; white-space: normal } .code { border: 1px solid var(--line); background: none }
  .avatar { color: inherit; background: none; border: 1px solid var(--line) } .content .code pre { background: none }
  .message:is([aria-current], :target) { background: none } .message, .threads > li, figure { break-inside: avoid-page }
  .content a[href^='http']:not(.bare)::after { content: ' (' attr(href) ')'; font-size: .8em }
}`

export const style: string = `${[rendered, colors, page, message, code, forms, media].join('\n')}\n`
