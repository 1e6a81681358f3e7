/** The entry `blockmark`: parse, render, check, build, write and split messages. */

// Bundles contain the files in this order. The order makes bundles small, because similar files follow one another, and a
// compressor looks back only 32 KB.

// Parse, as a whole or while a text arrives in chunks.

export { dialectVersion } from './dialect-version.js'
export type { ParseOptions } from './parse/index.js'
export { parse } from './parse/index.js'
export type { BlockStream } from './stream/index.js'
export { createStream } from './stream/index.js'
export type {
  AnyNode,
  Block,
  Break,
  Code,
  Delete,
  Emphasis,
  File,
  Formatting,
  Heading,
  InlineCode,
  Link,
  List,
  ListItem,
  Mention,
  NodeMap,
  NodeType,
  Paragraph,
  Phrasing,
  PhrasingWithoutBreak,
  PhrasingWithoutLink,
  Point,
  Position,
  Root,
  Strong,
  Text,
  Underline,
} from './tree.js'

// Render as plain text and as the dialect.

export type { RenderOptions, ResolvedFile, ResolvedLink, ResolvedMention } from './render/options.js'
export type { References } from './render/text.js'
export { referencesOf, toText } from './render/text.js'
export type { Source } from './source.js'
export { normalize } from './write/normalize.js'
export { stringify } from './write/stringify.js'

// Teach a language model.

export { dialectPrompt } from './author/dialect-prompt.js'

// Check.

export type { LimitOptions } from './check/limits.js'
export { validate } from './check/validate.js'
export type { Diagnostic } from './diagnostic.js'
export type { ErrorCode, Problem } from './errors.js'
export { BlockmarkError } from './errors.js'
export { assertTree } from './tree/strict.js'

// Build.

export type { Mentionable } from './author/builders.js'
export {
  br,
  code,
  emphasis,
  file,
  heading,
  inlineCode,
  link,
  list,
  mention,
  paragraph,
  root,
  strike,
  strong,
  text,
  underline,
} from './author/builders.js'
export type { TemplateValue } from './author/template.js'
export { md } from './author/template.js'
export type { Child, Omitted, TextValue, UrlValue } from './author/values.js'

// Render as HTML.

export type { HastContent, HastElement, HastProperties, HastRoot, HastText } from './render/hast.js'
export { toHast } from './render/hast.js'
export { toHtml } from './render/html.js'

// Split.

export { toBlocks, toBodies } from './split/split.js'
export type { TruncateOptions } from './split/truncate.js'
export { truncate } from './split/truncate.js'
