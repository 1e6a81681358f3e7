/** The entry `blockmark/render`: parsing and rendering only, for processes that start often. */

export type { ParseOptions } from '../parse/index.js'
export { parse } from '../parse/index.js'
export type { Source } from '../source.js'
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
} from '../tree.js'
export type { HastContent, HastElement, HastProperties, HastRoot, HastText } from './hast.js'
export { toHast } from './hast.js'
export { toHtml } from './html.js'
export type { RenderOptions, ResolvedFile, ResolvedLink, ResolvedMention } from './options.js'
export { toText } from './text.js'
