/** The rules: what each looks for, and what could stand there instead. `reasons.ts` has what each says of it. */
import { expression } from './expression.js'
import {
  angleMeant,
  fileIDOf,
  formatted,
  isItem,
  isSlackID,
  linkMeant,
  type Match,
  markerMeant,
  slackReferenceMeant,
  tagMeant,
} from './meant.js'
import type { RuleId } from './rule-ids.js'

export interface Rule {
  /**
   * What looks like it in plain text, where everything else is hidden (`text.ts`); the group `at`, if there is one, is
   * the place. No pattern reads a character more than a few times, whatever it meets. Without one, the rule is asked
   * of the lines (`lines.ts`), of the tree or of the limits.
   */
  readonly pattern?: RegExp
  /** Whether the pattern is asked of everything. */
  readonly isEverywhere?: true
  /** What stands there instead, empty where nothing does; null where the writer has meant what is there. */
  readonly meant?: (match: Match) => string | null
  /** What stands there instead is text; else it has to be a node. */
  readonly isText?: true
  /**
   * Whether what could stand there is what was meant for sure, so that `fix` writes it. A character that nobody sees may
   * be wanted, an id that was guessed may be somebody else's.
   */
  readonly isSure?: true
}

export const rules: Readonly<Record<RuleId, Rule>> = {
  'heading-depth': {
    pattern: /#{3,6}(?<=^[ \t]*#{3,6})(?=[ \t]+\S)/gm,
    meant: () => '##',
    isText: true,
    isSure: true,
  },
  'heading-space': {
    // Not #general, #C++, #PR or a row of tags.
    get pattern() {
      return expression(
        String.raw`#{1,6}(?<=(?:^|[\r\n])[ \t]*#{1,6})(?<!\S[ \t]*(?:\r\n?|\n)[ \t]*#+)(?=\p{Lu}\p{Ll}[^#\r\n]{0,60}(?:[\r\n]|$))`,
        'dgu',
      )
    },
    meant: ({ parts: [marker = ''] }) => `${marker.slice(0, 2)} `,
    isText: true,
  },
  'heading-underline': { isSure: true },
  'thematic-break': {},
  bullet: {
    // Not what is a rule to CommonMark, nor what would be no item.
    pattern: /[-+](?<=^[ \t]*.)(?=[ \t]{1,3}\S)(?!(?:[ \t]*[-+*_])+[ \t]*$|[ \t]+\*[ \t])/gm,
    meant: (match) => (isItem(match) ? '*' : null),
    isText: true,
    isSure: true,
  },
  'nested-list': {},
  'ordered-list': {
    // Not 1. e4 e5 2. Nf3
    pattern: /1[.)](?<=^[ \t]*..)(?=[ \t]+\S)(?!.*[ \t]2[.)][ \t])/gm,
  },
  quote: {
    // Not > 90% of them
    pattern: />(?<=^[ \t]*.)(?=[ \t]+[^\s\d])(?<!^[ \t]*>.*(?:\r\n?|\n)[ \t]*>)/gm,
  },
  table: {
    pattern: /^(?<=\|.*(?:\r\n?|\n))[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/gm,
  },
  strikethrough: {
    pattern: /~~(?<![~\\]..)(?![~\s])([^~\r\n]*[^~\s])~~(?!~)/dg,
    meant: ({ parts: [, text = ''] }) => formatted('delete', text),
    isSure: true,
  },
  'double-underscore': {
    get pattern() {
      return expression(String.raw`__(?<![\p{L}\p{N}_]..)(?![_\s])([^_\r\n]*[^_\s])__(?![\p{L}\p{N}_])`, 'dgu')
    },
    // __init__ and __(really)__ are names.
    meant: ({ parts: [, text = ''] }) =>
      expression(String.raw`^\(?(?:[a-z]\w+|[A-Z][A-Z\d_]+)\)?$|^[^\p{L}\p{N}]*$`, 'u').test(text)
        ? null
        : formatted('strong', text),
    isSure: true,
  },
  html: {
    get pattern() {
      return expression(
        String.raw`<(?:(b|strong)|(i|em)|(u|ins)|(s|del|strike)|(code)|a href=["']([^"'<>\s]*)["'])>([^<\r\n]*)<\/[a-z]+>|<br ?\/?>(?<=\S<[^<]*)|<(?:(?:b|strong|em)|(?:img|a) \w+=[^<>\r\n]*)>(?<![\p{L}\p{N}]<[^<]*)`,
        'dgiu',
      )
    },
    meant: tagMeant,
    isSure: true,
  },
  image: {
    pattern: /!\[[^[\]\r\n]*\]\([^()\r\n]*\)/g,
  },
  'angle-url': {
    pattern: /<(?<!\]\(.)((?:\uFDD1|mailto:)[^<>\r\n]*)>/dg,
    meant: angleMeant,
    isSure: true,
  },
  'mention-id': {
    get pattern() {
      return expression(String.raw`<@(?<![\p{L}\p{N}]..)([\w.-]{1,128})>`, 'dgu')
    },
    meant: ({ parts }) => `<@${parts[1]}|>`,
  },
  'slack-reference': {
    pattern: /<([!#])([^<>|\r\n]+)(?:\|([^<>|\r\n]*))?>/dg,
    meant: slackReferenceMeant,
    isText: true,
  },
  'link-target': {
    // handlers[event](payload.md) is a call.
    get pattern() {
      return expression(String.raw`\[(?<![\p{L}\p{N}\])}!].)([^[\]\r\n]*)\]\(([^()\r\n]*)\)`, 'dgu')
    },
    meant: linkMeant,
    isSure: true,
  },
  'link-scheme': {},
  'reference-link': {},
  'file-alone': {
    pattern: /<![^<>|\r\n]+\|[^<>|\r\n]*>/dg,
    meant: ({ parts: [line = ''] }) => (isSlackID(fileIDOf(line) ?? 'here') ? null : ''),
  },
  flag: {},
  'unclosed-marker': {
    get pattern() {
      return expression(
        String.raw`(?<at>(?<!\*)\*\*+(?!\*)|\x60)(?<![\p{L}\p{N}*_/\\\x60]\1)(?=[\p{L}\p{N}\uFDD0\uFDD1])(?!kw)(?<=^(.*)\1)(.*)`,
        'dgmu',
      )
    },
    meant: markerMeant,
  },
  'unclosed-fence': {},
  'tilde-fence': { isSure: true },
  bidirectional: {
    // Not the marks U+200E, U+200F and U+061C, which texts of both directions need.
    pattern: /[\u202A-\u202E\u2066-\u2069]+/g,
    isEverywhere: true,
    meant: () => '',
  },
  invisible: {
    // Not joiners, variation selectors and tags: scripts and emoji need them.
    get pattern() {
      return expression(
        String.raw`[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F\xAD\u115F\u1160\u180E\u200B\u2060-\u2064\u3164\uFEFF\uFFA0\p{Cs}]+`,
        'gu',
      )
    },
    isEverywhere: true,
    meant: () => '',
  },
  limit: {},
}
