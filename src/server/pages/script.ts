/**
 * The script of the pages, which all of them do without: times in the reader's zone, days where they begin there, the
 * marked message in view, and buttons that copy.
 */

export const script = `'use strict'
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
for (const time of document.querySelectorAll('.when time, .quiet time')) {
  const date = new Date(time.dateTime)
  time.textContent = short.format(date)
  time.title = long.format(date)
}
let before = ''
for (const item of document.querySelectorAll('.messages > li, .comments ol > li')) {
  const { dateTime } = item.querySelector('.when time')
  const day = days.format(new Date(dateTime))
  item.querySelector(':scope > .day')?.remove()
  if (day !== before) {
    const time = Object.assign(document.createElement('time'), { dateTime, textContent: day })
    const heading = document.createElement(item.closest('.comments') ? 'h3' : 'h2')
    heading.className = 'day'
    heading.append(time)
    item.prepend(heading)
  }
  before = day
}
const marked = document.querySelector('[aria-current="true"]')
if (marked && !location.hash) marked.scrollIntoView({ block: 'center' })
const said = Object.assign(document.createElement('p'), { className: 'unseen', role: 'status' })
document.body.append(said)
function copying(place, label, text) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: label })
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
    }, 2000)
  })
  place.append(button)
}
for (const code of document.querySelectorAll('.code')) {
  copying(code, 'Copy code', () => code.querySelector('code').textContent)
}
for (const when of document.querySelectorAll('.message > header > .when')) {
  copying(when.parentElement, 'Copy link', () => when.href)
}
`
