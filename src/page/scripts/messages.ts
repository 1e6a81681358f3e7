/**
 * The script of the pages of messages, which work without it: times in the reader's zone, days where they begin there, the
 * marked message in view, buttons that copy code, and lists that show what arrives.
 */

import { addCodeButtons, make } from './copy.js'

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const formats: Readonly<Record<string, Intl.DateTimeFormat>> = {
  time: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }),
  clock,
  thisYear: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
  otherYear: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
}

/** Writes times in the reader's zone, and names each day above its first message. */
function localize(): void {
  let before = ''
  for (const item of document.querySelectorAll('.messages > li, .comments ol > li')) {
    const time = item.querySelector<HTMLTimeElement>('.when time')
    if (time === null) continue
    const day = formats['day']?.format(new Date(time.dateTime)) ?? ''
    item.querySelector(':scope > .day')?.remove()
    if (day !== before) {
      const named = make('time', { dateTime: time.dateTime, textContent: day })
      item.prepend(make(item.closest('.comments') ? 'h3' : 'h2', { className: 'day' }, named))
      item.classList.remove('continued')
    }
    before = day
  }
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[class]:not([title])')) {
    const date = new Date(time.dateTime)
    time.textContent = time.className === 'brief' ? brief(date) : shown(time, date)
    time.title = full.format(date)
  }
}

function shown(time: HTMLTimeElement, date: Date): string {
  // Next to a continued message there is no room for AM or PM.
  const isShort = time.className === 'clock' && time.closest('li')?.matches('.continued')
  const parts = formats[time.className]?.formatToParts(date).filter(({ type }) => !isShort || type !== 'dayPeriod')
  return (parts ?? [])
    .map(({ value }) => value)
    .join('')
    .trim()
}

/** Writes what tells a time from others: the time of today, or the day. */
function brief(date: Date): string {
  const now = new Date()
  if (date.toDateString() === now.toDateString()) return clock.format(date)
  now.setDate(now.getDate() - 1)
  if (date.toDateString() === now.toDateString()) return 'Yesterday'
  return formats[date.getFullYear() === new Date().getFullYear() ? 'thisYear' : 'otherYear']?.format(date) ?? ''
}

localize()
addCodeButtons()
// Printed pages have all of their pictures.
addEventListener('beforeprint', () => {
  for (const image of document.images) image.loading = 'eager'
})

/** A comment on this page needs no other page. */
function shortenReplies(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.in-reply a')) {
    const id = `m${link.pathname.slice(1)}`
    if (document.getElementById(id) !== null) link.href = `#${id}`
  }
}

shortenReplies()
const marked = document.querySelector('[aria-current="true"]')
if (marked !== null && location.hash === '') marked.scrollIntoView({ block: 'center' })

const MILLISECONDS = 4000
const MILLISECONDS_MAX = 60_000
const live = document.querySelector<HTMLElement>('.live[data-poll]')
const news = document.querySelector('.news')
const title = document.title
let [wait, timer, unread] = [MILLISECONDS, 0, 0]

function isAtEnd(): boolean {
  return document.documentElement.scrollHeight - innerHeight - scrollY < 120
}

/** Forgets what is new when the reader has it in view. */
function seen(): void {
  const isSeen = isAtEnd() || (scrollY < 120 && document.querySelector('.threads') !== null)
  if (unread === 0 || document.hidden || !isSeen) return
  unread = 0
  document.title = title
  news?.replaceChildren()
}

/** Asks for the list's version, and loads the list if it is another. */
async function poll(list: HTMLElement): Promise<void> {
  clearTimeout(timer)
  if (document.hidden) return
  const { poll: address = '', version } = list.dataset
  try {
    const response = await fetch(address)
    if (response.ok && (await response.text()) !== version) await update(list)
    if (news?.textContent === 'Offline') news.replaceChildren()
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      news?.replaceChildren('Reload the page to see what is new')
      return
    }
    wait = response.ok ? MILLISECONDS : Math.min(MILLISECONDS_MAX, wait * 2)
  } catch {
    news?.replaceChildren('Offline')
    wait = Math.min(MILLISECONDS_MAX, wait * 2)
  }
  timer = setTimeout(() => void poll(list), wait)
}

/** Shows the list as it is now. Messages that are still there stay as they are, with what was unfolded. */
async function update(list: HTMLElement): Promise<void> {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
  const next = page.querySelector<HTMLElement>('.live[data-poll]')
  if (next === null) return
  const wasAtEnd = isAtEnd()
  list.dataset['version'] = next.dataset['version'] ?? ''
  const fresh: Element[] = []
  for (const item of next.querySelectorAll('[id^=m]')) {
    const known = document.getElementById(item.id)
    if (known === null) fresh.push(item)
    else if (known.matches('.message')) item.replaceWith(known)
  }
  list.replaceChildren(...next.childNodes)
  localize()
  addCodeButtons()
  shortenReplies()
  const [first] = fresh
  if (first === undefined) return
  unread += fresh.length
  const noun = list.querySelector('.threads') ? 'thread' : list.querySelector('.messages') ? 'message' : 'comment'
  const text = unread === 1 ? `1 new ${noun}` : `${unread} new ${noun}s`
  news?.replaceChildren(make('a', { href: `#${first.id}`, textContent: text }))
  document.title = `(${unread}) ${title}`
  if (wasAtEnd && list.querySelector('.messages') !== null) scrollTo({ top: document.documentElement.scrollHeight })
  seen()
}

if (live !== null) {
  for (const type of ['scroll', 'focus']) addEventListener(type, seen, { passive: true })
  document.addEventListener('visibilitychange', () => {
    void poll(live)
    seen()
  })
  timer = setTimeout(() => void poll(live), wait)
}
