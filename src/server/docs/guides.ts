/** The pages that are written by hand: the rules that all endpoints share, the packages, and the use with models. */

import { limits } from '../../api/contract/schemas.js'
import { dialectPrompt } from '../../index.js'
import authentication from '../guides/authentication.md'
import begin from '../guides/begin.md'
import client from '../guides/client.md'
import errors from '../guides/errors.md'
import files from '../guides/files.md'
import limitsGuide from '../guides/limits.md'
import lists from '../guides/lists.md'
import models from '../guides/models.md'
import urls from '../guides/urls.md'
import { Markup } from '../pages/markup.js'
import { codeOf, prose, readPackageFile } from './prose.js'
import type { DocsPage, DocsSite } from './site.js'

export const guides: readonly DocsPage[] = [
  ...Object.entries({ '': begin, authentication, errors, limits: limitsGuide, lists, files, urls, models }).map(
    ([slug, text]) => guide(slug, 'Guides', text),
  ),
  // Everything from the first heading on: the lines before it are for readers of the repository.
  {
    ...{ slug: 'library', title: 'The library', group: 'Packages' },
    draw: async (site) => prose((await readPackageFile('README.md')).replace(/^.*?(?=^## )/ms, ''), site),
  },
  guide('client', 'Packages', client),
]

function guide(slug: string, group: string, text: string): DocsPage {
  const [, title = '', body = ''] = /^# ([^\n]*)\n(.*)$/s.exec(text) ?? []
  return { slug, title, group, draw: async (site) => drawGuide(body, site) }
}

/** Draws a guide: in its text `{{name}}` is a value of the service, and `{{prompt}}` the prompt for models. */
function drawGuide(text: string, site: DocsSite): Markup {
  const { siteUrl, isService } = site
  const values: Readonly<Record<string, string | number>> = {
    ...{ siteUrl, origin: isService ? '' : siteUrl, promptLength: dialectPrompt.length },
    ...limits,
  }
  const parts = text.split('{{prompt}}').map((part) => part.replace(/\{\{(\w+)\}\}/g, (_, name) => shown(values[name])))
  return new Markup(parts.map((part) => prose(part, site).html).join(codeOf(dialectPrompt, null)))
}

function shown(value: string | number | undefined): string {
  if (value === undefined) throw new Error('a guide names a value that there is not')
  return value.toLocaleString('en')
}
