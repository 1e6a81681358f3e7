/** What the sections of `fixtures/lint.md` say, each without its examples. */
import type { RuleId } from './rule-ids.js'

export const notes: Readonly<Record<RuleId, string>> = {
  'heading-depth': 'A heading has one or two `#` (§2.3). Three to six are a heading elsewhere.',
  'heading-space':
    'Between the `#` of a heading and its text is white space (§2.3). `#Title` at the beginning of a paragraph is named, a tag in small letters, an abbreviation or a row of tags is not.',
  'heading-underline': 'A heading begins with its `#` (§2.3); a line of `=` or `-` below a text makes none of it.',
  'thematic-break': 'There are no rules (§2.2). Three dashes, stars or underscores are shown as they are typed.',
  bullet:
    'An item of a list begins with `* ` (§2.4). Elsewhere `- ` and `+ ` begin one, too. Two lines in a row are a list, and so is what stands behind a colon. One line alone is a list only if it is a few words at the beginning of a paragraph. Otherwise it may be a signature, a remark or YAML. Lines with a `-` and lines with a `+` are a diff, and a row of dashes is a rule.',
  'nested-list': "A list holds items, and no list (§2.4). White space before an item's star changes nothing.",
  'ordered-list':
    'There are no numbered lists (§2.2). The lines stay as they are typed, with their numbers, so that nothing is lost.',
  quote: 'There are no quotations (§2.2). The `>` stays as it is typed.',
  table: 'There are no tables (§2.2). In fenced code the columns stay what they are.',
  strikethrough:
    'What GFM writes as `~~x~~` is `-x-` here (§4). Where a dash could not close or open, nothing is offered.',
  'double-underscore': 'What CommonMark writes as `__x__`, too, is `**x**` only (§4.1). A name between them is a name.',
  html: 'There is no HTML (§1.1). Tags that stand for formatting are offered as their markers.',
  image: 'There are no images (§3). One is uploaded, and shown by a file (§2.5).',
  'angle-url':
    "A url needs no angle brackets: they would be shown (§3.5). Slack's `<url|label>` is a named link (§3.4).",
  'mention-id': 'Without a `|` the id of a mention has a digit (§3.3), so that `List<@NonNull>` is none.',
  'slack-reference':
    "Slack's `<!here|here>` notifies people there. Here it is text or, alone on its line, a file (§2.5). What Slack would have shown is offered.",
  'link-target':
    'The url of a named link has a scheme and no white space, there is no title and no `<…>` form, and the label is not blank (§3.4).',
  'link-scheme': 'Only http, https and mailto links are shown as links (§6.3); of all others only the label is left.',
  'reference-link': 'A link names its url where it stands (§3.4); a url that is defined elsewhere belongs to nothing.',
  'file-alone': 'A file is shown where it stands alone on its line (§2.5); beside other text it is text.',
  flag: 'A dash that a word begins with opens struck text (§4), and so does that of a flag, where a later dash closes it.',
  'unclosed-marker':
    'A marker without a partner is text (§4.8, §3.2). It is named where it begins a line, where nothing but words are behind it, where white space keeps its partner from closing, and where others on its line have found theirs.',
  'unclosed-fence': 'Without a closing fence all that follows is code (§2.6).',
  'tilde-fence':
    'Fenced code stands between backticks (§2.6). Between fences of tildes nothing is code; what looks like other markup there is not named.',
  bidirectional:
    'Embeddings, overrides and isolates let a text be shown in another order than it is read in: wherever they stand, code included, what people see is not what is there. The marks that texts of both directions need are not among them.',
  invisible:
    'Control characters and characters without an outline are named wherever they stand. Joiners, variation selectors and tags are not: scripts and emoji need them. A U+2063 that makes a delimiter hard (§3.6) is none of these, also where two pairs are one (§4.10); one without a partner is.',
  limit:
    'The service takes 1 to 100 blocks of 1 to 4,000 characters, and bodies of 1 to 40,000. Other limits can be given, as behind `=> lint` here.',
}
