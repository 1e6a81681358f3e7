/** The outputs: each has a tab, an entry in a tab's menu, or a switch that shows it instead of the tab's output. */

import { byID } from './element.js'

type Labels = Readonly<Record<string, string>>

export const tabLabels: Labels = {
  ...{ message: 'Message', text: 'Text', html: 'HTML', tree: 'Tree', convert: 'Convert', post: 'Post' },
}
export const switchLabels: Labels = { checks: 'Checks', stream: 'Stream', compare: 'Compare', sheet: 'Syntax' }

/** The outputs of tabs that have several. */
export const menus: Readonly<Record<string, Labels>> = {
  convert: {
    ...{ markdown: 'CommonMark', slack: 'Slack', telegram: 'Telegram', discord: 'Discord', whatsapp: 'WhatsApp' },
    ...{ matrix: 'Matrix', dialect: 'blockmark' },
  },
  post: { curl: 'curl', typescript: 'TypeScript', blocks: 'Blocks' },
}

/** The tab whose menu has an output, if any. */
export function menuOf(output: string): string | undefined {
  return Object.keys(menus).find((tab) => Object.hasOwn(menus[tab] ?? {}, output))
}

export interface Tabs {
  /** The output that is shown. */
  readonly current: string
  /** Shows an output; unknown names are ignored. */
  choose(output: string): void
  /** Labels the switch of the checks, and hides the stream's if the dialect has none. */
  update(checks: string, isStreamed: boolean): void
}

/** Takes over the document's tabs. Arrows move between them, and only the chosen one is a stop of the Tab key. */
export function createTabs(onChange: () => void): Tabs {
  const list = byID('tabs', HTMLDivElement)
  const names = Object.keys(tabLabels)
  const picked: Record<string, string> = { convert: 'markdown', post: 'curl' }
  let [tab, pressed]: [string, string | null] = ['message', null]
  const show = (): void => {
    for (const name of names) {
      const each = byID(`tab-${name}`, HTMLButtonElement)
      each.setAttribute('aria-selected', String(name === tab && pressed === null))
      each.tabIndex = name === tab ? 0 : -1
    }
    for (const name of Object.keys(switchLabels)) {
      byID(`switch-${name}`, HTMLButtonElement).setAttribute('aria-pressed', String(name === pressed))
    }
    byID('panel', HTMLDivElement).setAttribute('aria-labelledby', pressed === null ? `tab-${tab}` : `switch-${pressed}`)
    onChange()
  }
  const choose = (output: string): void => {
    const menu = menuOf(output)
    if (menu !== undefined) picked[menu] = output
    pressed = Object.hasOwn(switchLabels, output) && pressed !== output ? output : null
    if (menu !== undefined || Object.hasOwn(tabLabels, output)) tab = menu ?? output
    show()
  }
  for (const button of document.querySelectorAll<HTMLElement>('.tabs [id^="tab-"], .tabs [id^="switch-"]')) {
    button.addEventListener('click', () => choose(button.id.replace(/^\w+-/, '')))
  }
  list.addEventListener('keydown', (event) => {
    const at = names.indexOf(tab)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    const name = to === undefined ? undefined : names.at(to === names.length ? 0 : to)
    if (name === undefined) return
    event.preventDefault()
    choose(name)
    byID(`tab-${name}`, HTMLButtonElement).focus()
  })
  return {
    get current() {
      return pressed ?? picked[tab] ?? tab
    },
    choose,
    update(checks, isStreamed) {
      byID('switch-checks', HTMLButtonElement).textContent = checks
      byID('switch-stream', HTMLButtonElement).hidden = !isStreamed
      if (pressed !== 'stream' || isStreamed) return
      pressed = null
      show()
    },
  }
}
