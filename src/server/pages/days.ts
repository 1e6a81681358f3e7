/** Lists of messages: each day is named where it begins, and messages that continue one another are grouped. */

import { type Markup, markup } from '../../page/markup.js'
import { type Posted, timeOf } from './message.js'

/** Messages of one author that are at most this far apart are shown under one name. */
const GROUP_MILLISECONDS = 5 * 60 * 1000

/**
 * Names the days of messages that are shown one after the other; the script of the page moves the names to where the
 * reader's days begin. They are headings, so that users of a screen reader can go from one to the next. The function returns
 * the heading above the next message, or null if the day has been named.
 */
export function createDays(level: 2 | 3): (time: Date) => Markup | null {
  let before = ''
  return (time) => {
    const day = dayOf(time)
    if (day === before) return null
    before = day
    const name = markup`${timeOf(time, 'day')}<span class="zone"> · UTC</span>`
    return level === 2 ? markup`<h2 class="day">${name}</h2>` : markup`<h3 class="day">${name}</h3>`
  }
}

/** Tells whether a message is shown under the name of the one before it; a deleted message never is. */
export function isContinued(before: Posted | undefined, message: Posted): boolean {
  if (before?.authorID !== message.authorID || before.blocks === null || message.blocks === null) return false
  // The author's name is on the side where the text begins.
  if (isRightToLeft(before.blocks) !== isRightToLeft(message.blocks)) return false
  const distance = message.createdAt.getTime() - before.createdAt.getTime()
  return distance <= GROUP_MILLISECONDS && dayOf(before.createdAt) === dayOf(message.createdAt)
}

/** Whether the first letter of a message is of a script that is written from right to left. */
function isRightToLeft([first = '']: readonly string[]): boolean {
  return /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u.test(first)
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
