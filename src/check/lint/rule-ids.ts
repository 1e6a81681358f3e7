/** The ids of the rules, in the order of their sections in `fixtures/lint.md`. */

export const ruleIds = [
  'heading-depth',
  'heading-space',
  'heading-underline',
  'thematic-break',
  'bullet',
  'nested-list',
  'ordered-list',
  'quote',
  'table',
  'strikethrough',
  'double-underscore',
  'html',
  'image',
  'angle-url',
  'mention-id',
  'slack-reference',
  'link-target',
  'link-scheme',
  'reference-link',
  'file-alone',
  'flag',
  'unclosed-marker',
  'unclosed-fence',
  'tilde-fence',
  'bidirectional',
  'invisible',
  'limit',
] as const

export type RuleId = (typeof ruleIds)[number]
