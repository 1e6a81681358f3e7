/** Tabs, as the ARIA pattern has them: arrows move between them, and only the one that is shown is a stop of the tab key. */

import { byID, element } from './element.js'

export interface Tabs {
  readonly current: string
  /** Shows one of them; a name that there is not shows none other. */
  choose(name: string): void
  /** Names the tabs, in order; one that is not there any more gives way to the first. */
  show(names: readonly string[], labels: Readonly<Record<string, string>>): void
}

/**
 * Makes tabs of the document's list of them.
 *
 * @param onChange - called when another one is chosen
 * @returns the tabs
 */
export function createTabs(onChange: () => void): Tabs {
  const list = byID('tabs', HTMLDivElement)
  let [names, current]: [readonly string[], string] = [[], '']
  const tabOf = (name: string): HTMLElement | null => document.getElementById(`tab-${name}`)
  const choose = (name: string): void => {
    current = name
    for (const each of names) mark(tabOf(each), each === name)
    byID('panel', HTMLDivElement).setAttribute('aria-labelledby', `tab-${name}`)
    onChange()
  }
  list.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) choose(target.id.replace('tab-', ''))
  })
  list.addEventListener('keydown', (event) => {
    const at = names.indexOf(current)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    const name = to === undefined ? undefined : names.at(to === names.length ? 0 : to)
    if (name === undefined) return
    event.preventDefault()
    choose(name)
    tabOf(name)?.focus()
  })
  return {
    get current() {
      return current
    },
    choose(name) {
      if (names.includes(name)) choose(name)
    },
    show(wanted, labels) {
      if (wanted.join() !== names.join()) {
        names = wanted
        const attributes = { type: 'button', role: 'tab', 'aria-controls': 'panel' }
        list.replaceChildren(...names.map((name) => element('button', { ...attributes, id: `tab-${name}` })))
        if (!names.includes(current)) current = names[0] ?? ''
        for (const name of names) mark(tabOf(name), name === current)
        byID('panel', HTMLDivElement).setAttribute('aria-labelledby', `tab-${current}`)
      }
      for (const name of names) {
        const tab = tabOf(name)
        if (tab !== null) tab.textContent = labels[name] ?? name
      }
    },
  }
}

function mark(tab: HTMLElement | null, isCurrent: boolean): void {
  tab?.setAttribute('aria-selected', String(isCurrent))
  if (tab !== null) tab.tabIndex = isCurrent ? 0 : -1
}
