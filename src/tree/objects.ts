/** Constructors of the nodes that the parser makes. They give plain objects. */
import type {
  Break,
  Code,
  File,
  Formatting,
  Heading,
  InlineCode,
  Link,
  List,
  ListItem,
  Mention,
  Paragraph,
  PhrasingWithoutBreak,
  PhrasingWithoutLink,
  Point,
  Position,
  Root,
  Text,
} from '../tree.js'

type Constructor<SetFields> = SetFields extends (this: infer Node, ...fields: infer Fields) => void
  ? new (
      ...fields: Fields
    ) => Node
  : never

/**
 * Returns a constructor of plain objects from a function that sets their fields. Literals would be shorter, but if the first few
 * hundred objects of a literal live long, V8 puts all later ones into its old generation, and then every parse takes four times as long.
 */
function constructorOf<SetFields extends (...fields: never[]) => void>(setFields: SetFields): Constructor<SetFields> {
  setFields.prototype = Object.prototype
  // A function that is called with `new` returns the object whose fields it sets.
  return setFields as unknown as Constructor<SetFields>
}

function setPoint(this: Point, line: number, column: number, offset: number): void {
  this.line = line
  this.column = column
  this.offset = offset
}
export const PointObject: Constructor<typeof setPoint> = /* @__PURE__ */ constructorOf(setPoint)

function setPosition(this: Position, start: Point, end: Point): void {
  this.start = start
  this.end = end
}
export const PositionObject: Constructor<typeof setPosition> = /* @__PURE__ */ constructorOf(setPosition)

function setLiteral(
  this: Unset<Text | InlineCode>,
  type: (Text | InlineCode)['type'],
  value: string,
  position: Position | null,
): void {
  this.type = type
  this.value = value
  if (position !== null) this.position = position
}
export const LiteralObject: Constructor<typeof setLiteral> = /* @__PURE__ */ constructorOf(setLiteral)

type ParentWithoutFields = Root | Paragraph | Formatting

function setParent(
  this: Unset<ParentWithoutFields>,
  type: ParentWithoutFields['type'],
  children: ParentWithoutFields['children'],
  position: Position | null,
): void {
  this.type = type
  this.children = children
  if (position !== null) this.position = position
}
export const ParentObject: Constructor<typeof setParent> = /* @__PURE__ */ constructorOf(setParent)

function setHeading(this: Heading, depth: 1 | 2, children: PhrasingWithoutBreak[], position: Position | null): void {
  this.type = 'heading'
  this.depth = depth
  this.children = children
  if (position !== null) this.position = position
}
export const HeadingObject: Constructor<typeof setHeading> = /* @__PURE__ */ constructorOf(setHeading)

function setList(this: List, children: ListItem[], position: Position | null): void {
  this.type = 'list'
  this.ordered = false
  this.spread = false
  this.children = children
  if (position !== null) this.position = position
}
export const ListObject: Constructor<typeof setList> = /* @__PURE__ */ constructorOf(setList)

function setItem(this: ListItem, paragraph: Paragraph, position: Position | null): void {
  this.type = 'listItem'
  this.spread = false
  this.children = [paragraph]
  if (position !== null) this.position = position
}
export const ItemObject: Constructor<typeof setItem> = /* @__PURE__ */ constructorOf(setItem)

function setCode(this: Code, lang: string | null, value: string, position: Position | null): void {
  this.type = 'code'
  this.lang = lang
  this.meta = null
  this.value = value
  if (position !== null) this.position = position
}
export const CodeObject: Constructor<typeof setCode> = /* @__PURE__ */ constructorOf(setCode)

function setFile(this: File, fileID: string, label: string | null, position: Position | null): void {
  this.type = 'file'
  this.fileID = fileID
  this.label = label
  if (position !== null) this.position = position
}
export const FileObject: Constructor<typeof setFile> = /* @__PURE__ */ constructorOf(setFile)

function setMention(this: Mention, userID: string, label: string | null, position: Position | null): void {
  this.type = 'mention'
  this.userID = userID
  this.label = label
  if (position !== null) this.position = position
}
export const MentionObject: Constructor<typeof setMention> = /* @__PURE__ */ constructorOf(setMention)

function setLink(this: Link, url: string, children: PhrasingWithoutLink[], position: Position | null): void {
  this.type = 'link'
  this.url = url
  this.title = null
  this.children = children
  if (position !== null) this.position = position
}
export const LinkObject: Constructor<typeof setLink> = /* @__PURE__ */ constructorOf(setLink)

function setBreak(this: Break, position: Position | null): void {
  this.type = 'break'
  if (position !== null) this.position = position
}
export const BreakObject: Constructor<typeof setBreak> = /* @__PURE__ */ constructorOf(setBreak)

/** A node whose type is not known yet. */
type Unset<Node> = { -readonly [Field in keyof Node]: Node[Field] }
