/** The scripts of the documentation, without which all of it can be read: chosen languages, search, copying, trying out. */

/** Before anything is shown: which language the reader chose last. */
export const languageScript = `'use strict'
try {
  document.documentElement.dataset.language = localStorage.getItem('language') ?? 'curl'
} catch {
  document.documentElement.dataset.language = 'curl'
}
`

const tabs = `for (const button of document.querySelectorAll('.languages button')) {
  button.addEventListener('click', () => choose(button.dataset.language, button))
}
function choose(language, button) {
  const top = button?.getBoundingClientRect().top
  document.documentElement.dataset.language = language
  for (const each of document.querySelectorAll('.languages button')) each.setAttribute('aria-pressed', String(each.dataset.language === language))
  // What was chosen stays where it was pressed, whatever became longer above it.
  if (button) scrollBy(0, button.getBoundingClientRect().top - top)
  try {
    localStorage.setItem('language', language)
  } catch {}
}
choose(document.documentElement.dataset.language)
`

const copying = `for (const code of document.querySelectorAll('.code')) {
  const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy code' })
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.querySelector('code').textContent)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    setTimeout(() => { button.textContent = 'Copy code' }, 2000)
  })
  code.append(button)
}
`

const search = `const input = document.querySelector('#search')
const found = document.querySelector('#found')
let loading
const load = () => loading ??= new Promise((resolve, reject) => {
  document.head.append(Object.assign(make('script', { src: own.dataset.index }), { onload: resolve, onerror: reject }))
})
input.addEventListener('focus', load)
input.form.addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(?:input|textarea)$/i.test(document.activeElement.tagName)) {
    event.preventDefault()
    input.focus()
  }
})
input.addEventListener('input', async () => {
  await load()
  const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== '')
  found.hidden = words.length === 0
  if (found.hidden) return
  const scored = docsIndex.map((entry) => [scoreOf(entry, words), entry]).filter(([score]) => score > 0)
  scored.sort(([one], [other]) => other - one)
  const items = scored.slice(0, 12).map(([, [address, page, section, text]]) => {
    const item = make('li', {})
    const link = make('a', { href: address, textContent: section === '' ? page : page + ' › ' + section })
    link.addEventListener('click', () => { found.hidden = true })
    item.append(link, make('p', { className: 'quiet', textContent: around(text, words) }))
    return item
  })
  const list = make('ol', {})
  list.append(...items)
  const count = scored.length === 0 ? 'Nothing found' : scored.length === 1 ? '1 place' : scored.length + ' places'
  found.replaceChildren(make('p', { className: 'quiet', textContent: count }), list)
})
function scoreOf([, page, section, text], words) {
  const [title, heading, body] = [page, section, text].map((part) => part.toLowerCase())
  const whole = words.join(' ')
  let score = (heading + ' ' + body).includes(whole) ? 16 : 0
  for (const word of words) {
    const here = (title.includes(word) ? 4 : 0) + (heading.includes(word) ? 8 : 0) + (heading === word ? 8 : 0) + (body.includes(word) ? 1 : 0)
    if (here === 0) return 0
    score += here
  }
  return score
}
function around(text, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40)
  return (at > 0 ? '…' : '') + text.slice(at, at + 140)
}
`

const trying = `let key = ''
for (const place of document.querySelectorAll('.try')) place.addEventListener('toggle', () => fill(place), { once: true })
function fill(place) {
  const { method, path, type, body } = place.dataset
  const form = make('form', {})
  const keyInput = make('input', { type: 'password', autocomplete: 'off', spellcheck: false, required: true, value: key })
  keyInput.addEventListener('input', () => { key = keyInput.value.trim() })
  form.append(labelled('Key, kept in the memory of this page alone', keyInput))
  const isForm = type === 'multipart/form-data'
  const area = isForm ? make('input', { type: 'file', required: true }) : make('textarea', { value: body, rows: body.split('\\\\n').length, spellcheck: false })
  if (isForm || body !== '') form.append(labelled(isForm ? 'File' : 'Body', area))
  const output = make('pre', { tabIndex: 0, hidden: true })
  const status = make('p', { role: 'status' })
  form.append(make('button', { textContent: method + ' ' + path }), status, output)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    status.textContent = 'Sending …'
    try {
      const init = { method, headers: { authorization: 'Bearer ' + keyInput.value.trim() } }
      if (isForm) {
        init.body = new FormData()
        init.body.append('data', area.files[0])
      } else if (body !== '') {
        init.headers['content-type'] = type
        init.body = area.value
      }
      const response = await fetch(path, init)
      const text = await response.text()
      status.textContent = 'Status ' + response.status
      output.hidden = false
      try {
        output.textContent = JSON.stringify(JSON.parse(text), null, 2)
      } catch {
        output.textContent = text
      }
    } catch (error) {
      status.textContent = 'No answer came: ' + error.message
    }
  })
  place.append(form)
}
function labelled(text, field) {
  const label = make('label', { textContent: text })
  label.append(field)
  return label
}
`

/** Everything else, when the page is there. */
export const script: string = `'use strict'
const own = document.currentScript
const make = (name, properties) => Object.assign(document.createElement(name), properties)
${tabs}${copying}${search}${trying}`
