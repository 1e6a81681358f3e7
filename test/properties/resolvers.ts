/** Any results of callbacks (§6), also hostile ones, but always the same for one id. */

import fc from 'fast-check'
import type { RenderOptions, ResolvedFile, ResolvedLink, ResolvedMention } from '../../src/index.js'
import { hostileHref, hostileText } from './sources.js'

const mentionResult: fc.Arbitrary<ResolvedMention> = fc.record(
  { name: hostileText, href: hostileHref },
  { requiredKeys: ['name'] },
)

const mediaType: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'image/png',
    'image/svg+xml',
    'IMAGE/SVG+XML',
    'Image/GIF',
    'video/mp4',
    'application/pdf',
    'image',
    '',
  ),
  hostileText,
)

const size: fc.Arbitrary<number> = fc.oneof(fc.nat({ max: 4096 }), fc.double())

const fileResult: fc.Arbitrary<ResolvedFile> = fc.record(
  { name: hostileText, mediaType, href: hostileHref, width: size, height: size },
  { requiredKeys: ['name', 'mediaType', 'href'] },
)

const linkResult: fc.Arbitrary<ResolvedLink> = fc.record(
  { href: hostileHref, target: fc.constant('_blank' as const), rel: hostileText },
  { requiredKeys: ['href'] },
)

/** Resolvers, or one of them, or none. */
export const resolvers: fc.Arbitrary<RenderOptions> = fc
  .record({
    mentions: fc.array(fc.option(mentionResult), { maxLength: 3 }),
    files: fc.array(fc.option(fileResult), { maxLength: 3 }),
    links: fc.array(fc.option(linkResult), { maxLength: 2 }),
  })
  .map(({ mentions, files, links }) => ({
    ...(mentions.length > 0 && { mention: (id: string) => resultFor(id, mentions) }),
    ...(files.length > 0 && { file: (id: string) => resultFor(id, files) }),
    ...(links.length > 0 && { link: (url: string) => resultFor(url.slice(-1), links) }),
  }))

function resultFor<Result>(id: string, results: readonly (Result | null)[]): Result | undefined {
  return results[(id.codePointAt(0) ?? 0) % results.length] ?? undefined
}
