/** The script of the documentation, which can be read without it: languages, search, trying an endpoint. */

const tabs = `for (const button of document.querySelectorAll('.languages button')) {
  button.addEventListener('click', () => choose(button.dataset.language, button))
}
function choose(language, button) {
  const top = button?.getBoundingClientRect().top
  document.documentElement.dataset.language = language
  for (const each of document.querySelectorAll('.languages button')) each.setAttribute('aria-pressed', String(each.dataset.language === language))
  // Scrolls so that the button stays in place although the samples above it have another height.
  if (button) scrollBy(0, button.getBoundingClientRect().top - top)
  try {
    localStorage.setItem('language', language)
  } catch {}
}
choose(document.documentElement.dataset.language)
`

/** Words that readers use for words of the documentation. */
const synonyms: readonly (readonly string[])[] = [
  ['bold', 'strong', 'emphasis'],
  ['italic', 'italics', 'emphasis'],
  ['strike', 'strikethrough', 'emphasis'],
  ['pagination', 'paging', 'cursor'],
  ['webhook', 'webhooks', 'events', 'event'],
  ['token', 'key', 'auth', 'authentication'],
  ['install', 'npm'],
  ['attachment', 'image', 'picture', 'file'],
  ['quota', 'throttling', 'rate'],
]

const search = `const synonyms = ${JSON.stringify(synonyms)}
const dialog = make('dialog', { className: 'search' })
dialog.setAttribute('aria-label', 'Search')
const input = make('input', { type: 'search', placeholder: 'Search the documentation', autocomplete: 'off' })
for (const [name, value] of Object.entries({ role: 'combobox', 'aria-label': 'Search', 'aria-controls': 'found', 'aria-expanded': 'true', 'aria-autocomplete': 'list' })) input.setAttribute(name, value)
const found = make('div', { id: 'found', role: 'listbox', ariaLabel: 'Found' })
const count = make('p', { className: 'quiet', role: 'status' })
dialog.append(input, count, found)
document.body.append(dialog)
let loading
const load = () => loading ??= new Promise((resolve, reject) => {
  document.head.append(Object.assign(make('script', { src: own.dataset.index }), { onload: resolve, onerror: reject }))
})
const open = () => { load(); dialog.showModal(); input.select() }
document.querySelector('.to-search').addEventListener('click', open)
addEventListener('keydown', (event) => {
  if (dialog.open || event.ctrlKey || event.metaKey ? event.key !== 'k' : event.key !== '/') return
  if (dialog.open || /^(?:input|textarea)$/i.test(document.activeElement.tagName)) return
  event.preventDefault()
  open()
})
dialog.addEventListener('click', (event) => {
  if (event.target === dialog || event.target.closest('a')) dialog.close()
})
let at = 0
function point(to) {
  const all = [...found.children]
  at = (to + all.length) % all.length
  for (const [index, each] of all.entries()) each.setAttribute('aria-selected', String(index === at))
  all[at]?.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', all[at]?.id ?? '')
}
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    point(at + (event.key === 'ArrowDown' ? 1 : -1))
  } else if (event.key === 'Enter') found.children[at]?.click()
  // Otherwise the browser only empties the field.
  else if (event.key === 'Escape') dialog.close()
})
input.addEventListener('input', async () => {
  await load()
  const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== '')
  const groups = words.map((word) => synonyms.find((group) => group.includes(word)) ?? [word])
  const scored = words.length === 0 ? [] : docsIndex.map((entry) => [scoreOf(entry, words, groups), entry]).filter(([score]) => score > 0)
  scored.sort(([one], [other]) => other - one)
  const pages = new Map()
  for (const [, entry] of scored) if (!pages.has(entry[1])) pages.set(entry[1], entry)
  const items = [...pages.values()].slice(0, 10).map(([address, page, section, text], index) => {
    const link = make('a', { id: 'found-' + index, role: 'option', href: address, tabIndex: -1 })
    link.append(make('b', { textContent: section === '' ? page : page + ' › ' + section }), make('br', {}), ...marked(around(text, groups.flat()), groups.flat()))
    return link
  })
  found.replaceChildren(...items)
  count.textContent = words.length === 0 ? '' : items.length === 0 ? 'Nothing found' : items.length === 1 ? '1 page' : items.length + ' pages'
  if (items.length > 0) point(0)
})
function scoreOf([, page, section, text], words, groups) {
  const [title, heading, body] = [page, section, text].map((part) => part.toLowerCase())
  let score = words.length > 1 && (heading + ' ' + body).includes(words.join(' ')) ? 16 : 0
  for (const group of groups) {
    const here = Math.max(...group.map((word) => (title.includes(word) ? 4 : 0) + (heading.includes(word) ? 8 : 0) + (heading === word ? 8 : 0) + (body.includes(word) ? 1 : 0)))
    if (here === 0) return 0
    score += here
  }
  return score
}
function around(text, words) {
  const first = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((index) => index >= 0), text.length))
  // It begins and ends between words.
  const start = first < 50 || first === text.length ? 0 : text.indexOf(' ', first - 50) + 1
  const end = text.length - start < 160 ? text.length : text.lastIndexOf(' ', start + 150)
  return (start > 0 ? '… ' : '') + text.slice(start, end) + (end < text.length ? ' …' : '')
}
function marked(text, words) {
  const escaped = words.map((word) => word.replace(/[\\\\^$.*+?()[\\]{}|]/g, '\\\\$&'))
  return text.split(new RegExp('(' + escaped.join('|') + ')', 'i')).map((part, index) => index % 2 === 1 ? make('mark', { textContent: part }) : part)
}
`

const trying = `let key = ''
for (const place of document.querySelectorAll('.try')) place.addEventListener('toggle', () => fill(place), { once: true })
function fill(place) {
  const { method, path, type, body } = place.dataset
  const form = make('form', {})
  const keyInput = make('input', { type: 'password', autocomplete: 'off', spellcheck: false, required: true, value: key })
  keyInput.addEventListener('input', () => { key = keyInput.value.trim() })
  form.append(labeled('API key, kept only in the memory of this page', keyInput))
  const isForm = type === 'multipart/form-data'
  const area = isForm ? make('input', { type: 'file', required: true }) : make('textarea', { value: body, spellcheck: false })
  const fit = () => { area.rows = area.value.split('\\n').length }
  if (!isForm) area.addEventListener('input', fit)
  if (!isForm) fit()
  if (isForm || body !== '') form.append(labeled(isForm ? 'File' : 'Body', area))
  const output = make('pre', { tabIndex: 0, hidden: true })
  const status = make('p', { role: 'status' })
  form.append(make('button', { textContent: method + ' ' + path }), status, output)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    status.textContent = 'Sending …'
    status.className = ''
    try {
      const init = { method, headers: { authorization: 'Bearer ' + keyInput.value.trim() } }
      if (isForm) {
        init.body = new FormData()
        init.body.append('data', area.files[0])
      } else if (body !== '') {
        init.headers['content-type'] = type
        init.body = area.value
      }
      const start = performance.now()
      const response = await fetch(path, init)
      const text = await response.text()
      status.textContent = 'Status ' + response.status + ' · ' + Math.round(performance.now() - start) + ' ms'
      status.className = response.ok ? 'good' : 'alert'
      output.hidden = false
      output.replaceChildren(make('code', {}))
      output.firstChild.append(...painted(text))
    } catch (error) {
      status.textContent = 'There was no response: ' + error.message
      status.className = 'alert'
    }
  })
  place.append(form)
}
function painted(text) {
  try {
    text = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return [text]
  }
  return text.split(/("(?:[^"\\\\]|\\\\.)*"(?:\\s*:)?|\\b(?:true|false|null|-?\\d[\\d.e+]*)\\b)/).map((part, index) => {
    if (index % 2 === 0) return part
    const kind = part.endsWith(':') ? 'attr' : part.startsWith('"') ? 'string' : 'literal'
    const own = part.startsWith('"' + location.origin + '/')
    return own ? make('a', { href: JSON.parse(part), textContent: part }) : make('span', { className: 'hljs-' + kind, textContent: part })
  })
}
function labeled(text, field) {
  const label = make('label', { textContent: text })
  label.append(field)
  return label
}
`

/** In a block, so that its names do not conflict with those of the pages' script, which adds the copy buttons. */
export const script: string = `'use strict'
{
const own = document.currentScript
const make = (name, properties) => Object.assign(document.createElement(name), properties)
${tabs}${search}${trying}}
`
