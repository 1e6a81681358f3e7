/**
 * The script of the pages, which work without it: times in the reader's zone, days where they begin there, the marked
 * message in view, one menu for the messages, buttons that copy code, and the messages that arrive in a chat.
 */

const times = `const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const formats = {
  time: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }),
}
function localize() {
  let before = ''
  for (const item of document.querySelectorAll('.messages > li, .comments ol > li')) {
    const { dateTime } = item.querySelector('.when time')
    const day = formats.day.format(new Date(dateTime))
    item.querySelector(':scope > .day')?.remove()
    if (day !== before) {
      const heading = make(item.closest('.comments') ? 'h3' : 'h2', { className: 'day' })
      heading.append(make('time', { className: 'day', dateTime, textContent: day }))
      item.classList.remove('continued')
      item.prepend(heading)
    }
    before = day
  }
  for (const time of document.querySelectorAll('time:not([title], .day)')) {
    const date = new Date(time.dateTime)
    // Next to a continued message there is no room for AM or PM.
    const isShort = time.className === 'clock' && time.closest('li')?.matches('.continued')
    const parts = formats[time.className].formatToParts(date).filter(({ type }) => !isShort || type !== 'dayPeriod')
    time.textContent = parts.map(({ value }) => value).join('').trim()
    time.title = full.format(date)
  }
}
localize()
// Printed pages have all of their pictures.
addEventListener('beforeprint', () => { for (const image of document.images) image.loading = 'eager' })
// A comment on this page needs no other page.
for (const link of document.querySelectorAll('.in-reply a')) if (document.getElementById('m' + link.pathname.slice(1))) link.href = '#m' + link.pathname.slice(1)
const marked = document.querySelector('[aria-current="true"]')
if (marked && !location.hash) marked.scrollIntoView({ block: 'center' })
`

const copying = `const said = make('p', { className: 'unseen', role: 'status' })
document.body.append(said)
function copying(label, text) {
  const button = make('button', { type: 'button', className: 'copy', textContent: label })
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text())
      said.textContent = button.textContent = 'Copied'
    } catch {
      said.textContent = button.textContent = 'Not allowed'
    }
    setTimeout(() => {
      button.textContent = label
      said.textContent = ''
      if (menu.contains(button)) menu.open = false
    }, 2000)
  })
  return button
}
function copyCodes() {
  for (const code of document.querySelectorAll('.code:not(:has(> .copy))')) code.append(copying('Copy code', () => code.querySelector('code').textContent))
}
copyCodes()
`

/** One menu for all messages: it is at the one that the reader points at, has the focus in, or touched last. */
const menu = `const menu = make('details', { className: 'menu' })
const summary = make('summary', { textContent: '•••' })
summary.setAttribute('aria-label', 'Message menu')
const choices = make('div', {})
const message = () => menu.closest('.message')
choices.append(copying('Copy link', () => message().querySelector('.when').href), copying('Copy text', () => message().querySelector('.content').innerText.trim()))
menu.append(summary, choices)
function attach(target) {
  const next = target.closest?.('.message')
  if (menu.open && !menu.contains(target)) menu.open = false
  if (next && next !== message()) next.querySelector('header').append(menu)
}
for (const type of ['mouseover', 'focusin', 'click']) addEventListener(type, ({ target }) => {
  if (type !== 'mouseover' || !menu.open) attach(target)
})
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu.open) return
  menu.open = false
  summary.focus()
})
const start = marked ?? document.querySelector('.messages > :last-child .message') ?? document.querySelector('.message')
if (start) attach(start)
`

/** Polls for new messages. The response has no body if there is no new message. */
const live = `const list = document.querySelector('.messages[data-live]')
const news = document.querySelector('.news')
const title = document.title
let [wait, fresh, timer] = [4000, 0, 0]
const isAtEnd = () => document.documentElement.scrollHeight - innerHeight - scrollY < 120
function seen() {
  if (fresh === 0 || document.hidden || !isAtEnd()) return
  fresh = 0
  document.title = title
}
async function poll() {
  clearTimeout(timer)
  if (document.hidden) return
  try {
    const response = await fetch(list.dataset.live + '?after=' + list.dataset.after)
    if (response.status === 200) add(new DOMParser().parseFromString(await response.text(), 'text/html'))
    if (response.status >= 400 && response.status < 500 && response.status !== 429) return void (news.textContent = 'Reload the page to see what is new')
    wait = response.ok ? 4000 : Math.min(60000, wait * 2)
  } catch {
    news.textContent = 'Offline'
    wait = Math.min(60000, wait * 2)
  }
  timer = setTimeout(poll, wait)
}
function add(page) {
  const items = [...page.querySelectorAll('.messages > li')].filter((item) => !document.getElementById(item.querySelector('.message').id))
  if (items.length === 0) return
  const wasAtEnd = isAtEnd()
  list.dataset.after = page.querySelector('.messages').lastElementChild.querySelector('.message').id.slice(1)
  document.getElementById('latest')?.removeAttribute('id')
  list.append(...items)
  localize()
  copyCodes()
  fresh += items.length
  const link = make('a', { href: '#' + list.children[list.children.length - fresh].querySelector('.message').id, textContent: fresh === 1 ? '1 new message' : fresh + ' new messages' })
  news.replaceChildren(wasAtEnd ? link.textContent : link, ' · ' + formats.clock.format(new Date()))
  document.title = '(' + fresh + ') ' + title
  if (wasAtEnd) scrollTo({ top: document.documentElement.scrollHeight })
  seen()
}
if (list) {
  for (const type of ['scroll', 'focus']) addEventListener(type, seen, { passive: true })
  document.addEventListener('visibilitychange', () => { poll(); seen() })
  timer = setTimeout(poll, wait)
}
`

export const script: string = `'use strict'
const make = (name, properties) => Object.assign(document.createElement(name), properties)
${times}${copying}${menu}${live}`
