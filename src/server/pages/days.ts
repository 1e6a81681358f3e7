/** Lists of messages: each day is named where it begins, and messages that continue one another are grouped. */

import { type Markup, markup } from '../../page/markup.js'
import { type Posted, timeOf } from './message.js'

/** Maximum time between two messages of one author that are shown under one name. */
const GROUP_MILLISECONDS = 5 * 60 * 1000

/**
 * Creates a function that returns the heading with the day of the next message, or null if the message before is of the same day.
 * The script of the page moves the headings to where the reader's days begin. Users of a screen reader can go from day to day.
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

/** Whether a message is shown under the name of the message before it. Deleted messages never are. */
export function isContinued(before: Posted | undefined, message: Posted): boolean {
  if (before?.authorID !== message.authorID || before.blocks === null || message.blocks === null) return false
  // The author's name is on the side where the text begins, so texts of different directions do not share a name.
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
