/** The script of the pages, which all of them do without: times in the reader's zone, and the marked message in view. */

export const script = `'use strict'
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
for (const time of document.querySelectorAll('time[datetime]')) {
  const date = new Date(time.dateTime)
  time.textContent = short.format(date)
  time.title = long.format(date)
}
const marked = document.querySelector('[aria-current="true"]')
if (marked && !location.hash) marked.scrollIntoView({ block: 'center' })
`
