/** The days of a list: each is named where it begins, in a heading, so that whoever listens can go from one to the next. */

import { type Markup, markup } from './markup.js'
import { timeOf } from './message.js'

/**
 * Names the days of messages that are shown one after the other; the script of the page puts the names where the reader's
 * days begin.
 *
 * @param level - the heading's
 * @returns what stands above the next message: its day, or nothing where that is the day of the one before it
 */
export function createDays(level: 2 | 3): (time: Date) => Markup | null {
  let before = ''
  return (time) => {
    const day = time.toISOString().slice(0, 10)
    if (day === before) return null
    before = day
    const name = timeOf(time, 'day')
    return level === 2 ? markup`<h2 class="day">${name}</h2>` : markup`<h3 class="day">${name}</h3>`
  }
}
