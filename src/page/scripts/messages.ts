/**
 * The script of the pages of messages, which work without it: times in the reader's zone, days where they begin there, the
 * marked message in view, buttons that copy code, and lists that show what arrives.
 */

import { addCodeButtons, make } from './copy.js'

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
// 24 hours, because the column of times next to messages under one name has no room for AM or PM.
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const formats: Readonly<Record<string, Intl.DateTimeFormat>> = {
  time: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }),
  clock,
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
  const today = new Date().toDateString()
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[class]:not([title])')) {
    const moment = new Date(time.dateTime)
    // A brief time is the clock of today, or the day.
    const brief = moment.toDateString() === today ? clock : date
    time.textContent = (formats[time.className] ?? brief).format(moment)
    time.title = full.format(moment)
  }
}

localize()
addCodeButtons()
// Printed pages have all of their pictures.
addEventListener('beforeprint', () => {
  for (const image of document.images) image.loading = 'eager'
})

const marked = document.querySelector('[aria-current="true"]')
if (marked !== null && location.hash === '') marked.scrollIntoView({ block: 'center' })

const POLL_MILLISECONDS = 4000
const live = document.querySelector<HTMLElement>('.live[data-poll]')
if (live !== null) setTimeout(() => void poll(live), POLL_MILLISECONDS)

/** Asks for the list's version, and loads the list if it is another; again and again, while the reader may see the list. */
async function poll(list: HTMLElement): Promise<void> {
  const { poll: address = '', version } = list.dataset
  try {
    const response = document.hidden ? null : await fetch(address, { redirect: 'manual' })
    if (response?.ok && (await response.text()) !== version) await update(list)
    // The list was deleted, or the reader has signed out.
    if (response !== null && response.status < 500 && !response.ok && response.status !== 429) return
  } catch {
    // Offline: a later poll may succeed.
  }
  setTimeout(() => void poll(list), POLL_MILLISECONDS)
}

/** Shows the list as it is now. Messages that are still there stay as they are, with what was unfolded. */
async function update(list: HTMLElement): Promise<void> {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
  const next = page.querySelector<HTMLElement>('.live[data-poll]')
  if (next === null) return
  const wasAtEnd = document.documentElement.scrollHeight - innerHeight - scrollY < 120
  list.dataset['version'] = next.dataset['version'] ?? ''
  let first: Element | undefined
  for (const item of next.querySelectorAll('[id^=m]')) {
    const known = document.getElementById(item.id)
    if (known === null) first ??= item
    else if (known.matches('.message')) item.replaceWith(known)
  }
  list.replaceChildren(...next.childNodes)
  localize()
  addCodeButtons()
  if (wasAtEnd && list.querySelector('.messages') !== null) scrollTo({ top: document.documentElement.scrollHeight })
  if (first !== undefined) announce(first)
}

/** Links to a new message, unless the reader sees it. */
function announce(first: Element): void {
  const { top, bottom } = first.getBoundingClientRect()
  if (bottom > 0 && top < innerHeight) return
  const link = make('a', { href: `#${first.id}`, textContent: 'New' })
  link.addEventListener('click', () => link.remove())
  document.querySelector('.news')?.replaceChildren(link)
}
