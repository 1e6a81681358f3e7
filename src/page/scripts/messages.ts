/**
 * The script of the pages of messages, which work without it: times and days in the reader's time zone, the marked message in
 * view, buttons that copy code, and lists that show new messages.
 */

import { addCodeButtons, create } from './copy.js'

const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
// The clock has 24 hours, because the column of times next to messages under one name has no space for AM or PM.
const clockFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const dateFormats: Readonly<Record<string, Intl.DateTimeFormat>> = {
  time: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }),
  clock: clockFormat,
}

/** Writes times in the reader's zone, and names each day above its first message. */
function localize(): void {
  let before = ''
  for (const item of document.querySelectorAll('.messages > li, .comments ol > li')) {
    const time = item.querySelector<HTMLTimeElement>('.when time')
    if (time === null) continue
    const day = dateFormats['day']?.format(new Date(time.dateTime)) ?? ''
    item.querySelector(':scope > .day')?.remove()
    if (day !== before) {
      const dayElement = create('time', { dateTime: time.dateTime, textContent: day })
      item.prepend(create(item.closest('.comments') ? 'h3' : 'h2', { className: 'day' }, dayElement))
      item.classList.remove('continued')
    }
    before = day
  }
  const today = new Date().toDateString()
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[class]:not([title])')) {
    const moment = new Date(time.dateTime)
    // A brief time is the time of day if it is today, or else the date.
    const briefFormat = moment.toDateString() === today ? clockFormat : dateFormat
    time.textContent = (dateFormats[time.className] ?? briefFormat).format(moment)
    time.title = fullFormat.format(moment)
  }
}

localize()
addCodeButtons()
// All images are loaded before the page is printed, also images that were never in view.
addEventListener('beforeprint', () => {
  for (const image of document.images) image.loading = 'eager'
})

const markedMessage = document.querySelector('[aria-current="true"]')
if (markedMessage !== null && location.hash === '') markedMessage.scrollIntoView({ block: 'center' })

const POLL_MILLISECONDS = 4000
const liveList = document.querySelector<HTMLElement>('.live[data-poll]')
if (liveList !== null) setTimeout(() => void poll(liveList), POLL_MILLISECONDS)

/** Asks for the list's version every few seconds while the page is visible, and loads the list if the version has changed. */
async function poll(list: HTMLElement): Promise<void> {
  const { poll: pollUrl = '', version } = list.dataset
  try {
    const response = document.hidden ? null : await fetch(pollUrl, { redirect: 'manual' })
    if (response?.ok && (await response.text()) !== version) await update(list)
    // A list that was deleted, or whose reader has signed out, is not polled again.
    if (response !== null && response.status < 500 && !response.ok && response.status !== 429) return
  } catch {
    // The service cannot be reached now, but a later poll may succeed.
  }
  setTimeout(() => void poll(list), POLL_MILLISECONDS)
}

/** Loads and shows the current list. The elements of messages that still exist are kept, so that unfolded parts stay open. */
async function update(list: HTMLElement): Promise<void> {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
  const nextList = page.querySelector<HTMLElement>('.live[data-poll]')
  if (nextList === null) return
  const wasAtEnd = document.documentElement.scrollHeight - innerHeight - scrollY < 120
  list.dataset['version'] = nextList.dataset['version'] ?? ''
  let firstNewElement: Element | undefined
  for (const item of nextList.querySelectorAll('[id^=m]')) {
    const currentElement = document.getElementById(item.id)
    if (currentElement === null) firstNewElement ??= item
    else if (currentElement.matches('.message')) item.replaceWith(currentElement)
  }
  list.replaceChildren(...nextList.childNodes)
  localize()
  addCodeButtons()
  if (wasAtEnd && list.querySelector('.messages') !== null) scrollTo({ top: document.documentElement.scrollHeight })
  if (firstNewElement !== undefined) announce(firstNewElement)
}

/** Shows a link to the first new message, unless that message is in view. */
function announce(first: Element): void {
  const { top, bottom } = first.getBoundingClientRect()
  if (bottom > 0 && top < innerHeight) return
  const link = create('a', { href: `#${first.id}`, textContent: 'New' })
  link.addEventListener('click', () => link.remove())
  document.querySelector('.news')?.replaceChildren(link)
}
