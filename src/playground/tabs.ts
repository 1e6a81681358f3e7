/** The tabs, which show one output each: Preview also has the replay, and Code has a menu of outputs. */

import { byID } from './element.js'

export const tabLabels: Readonly<Record<string, string>> = {
  ...{ preview: 'Preview', messengers: 'Messengers', html: 'HTML', tree: 'Tree', code: 'Code' },
}

/** The outputs of the tab Code. */
export const codeLabels: typeof tabLabels = {
  ...{ curl: 'curl', typescript: 'TypeScript', blocks: 'blocks of a post', text: 'plain text' },
  ...{ dialect: 'blockmark', markdown: 'CommonMark' },
}

export interface Tabs {
  /** The output that is shown. */
  readonly current: string
  /** Shows an output; unknown names are ignored. */
  choose(output: string): void
}

/** Creates the tabs from the document's buttons. Arrow keys move between tabs, and the Tab key stops only at the chosen tab. */
export function createTabs(onChange: () => void): Tabs {
  const list = byID('tabs', HTMLDivElement)
  const replay = byID('replay', HTMLButtonElement)
  const names = Object.keys(tabLabels)
  let [tab, code, isReplay] = ['preview', 'curl', false]
  const choose = (output: string): void => {
    if (Object.hasOwn(codeLabels, output)) [tab, code] = ['code', output]
    else if (output === 'replay') tab = 'preview'
    else if (Object.hasOwn(tabLabels, output)) tab = output
    isReplay = output === 'replay'
    replay.setAttribute('aria-pressed', String(isReplay))
    for (const name of names) {
      const each = byID(`tab-${name}`, HTMLButtonElement)
      each.setAttribute('aria-selected', String(name === tab))
      each.tabIndex = name === tab ? 0 : -1
    }
    // On a narrow screen the tabs scroll, so the chosen tab is moved into view.
    list.scrollLeft = byID(`tab-${tab}`, HTMLButtonElement).offsetLeft - list.clientWidth / 2
    byID('panel', HTMLDivElement).setAttribute('aria-labelledby', `tab-${tab}`)
    onChange()
  }
  for (const button of list.querySelectorAll('button')) {
    button.addEventListener('click', () => choose(button.id.replace('tab-', '')))
  }
  replay.addEventListener('click', () => choose(isReplay ? 'preview' : 'replay'))
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
      if (isReplay) return 'replay'
      return tab === 'code' ? code : tab
    },
    choose,
  }
}
