/** Types of micromark's extensions, and a construct that reads up to an offset. */
import type { Options } from 'mdast-util-from-markdown'

export type Extension = NonNullable<Options['extensions']>[number]
export type Construct = Extract<NonNullable<Extension['text']>[string], { tokenize: unknown }>
export type Tokenizer = ThisParameterType<Construct['tokenize']>
export type State = ReturnType<Construct['tokenize']>
export type TokenType = Parameters<Parameters<Construct['tokenize']>[0]['enter']>[0]

/** Offsets in the source: the end of a span, and the start and the end of the part of it that is the value of its code. */
export interface Span {
  readonly end: number
  readonly from: number
  readonly to: number
}

/**
 * Makes a construct that reads code whose end is known: the characters stay as typed.
 *
 * @param spanAt - returns the span that begins at an offset, or null if no span begins there. A span without a value is left out
 */
export function codeConstruct(name: string, spanAt: (offset: number, context: Tokenizer) => Span | null): Construct {
  return {
    name,
    tokenize(effects, ok, nok) {
      const span = spanAt(this.now().offset, this)
      if (span === null) return nok
      const { end, from, to } = span
      let inner: TokenType | null = null
      const leave = (): void => {
        if (inner !== null) effects.exit(inner)
        inner = null
      }
      const read: State = (code) => {
        const { offset } = this.now()
        if (offset === end) {
          leave()
          if (from < to) effects.exit('codeText')
          return ok(code)
        }
        // The text may end before the source does. Without this check, a span that did not end in it would be read forever.
        if (code === null) return nok(code)
        const isValue = offset >= from && offset < to
        const isLineEnding = code < -2
        const [ofCharacter, ofLineEnding] = isValue
          ? (['codeTextData', 'lineEnding'] as const)
          : (['codeTextSequence', 'lineEndingBlank'] as const)
        // A token that holds more than a line ending must not go on in the next line: micromark would search for its end forever.
        const type = isLineEnding ? ofLineEnding : ofCharacter
        if (type !== inner) {
          leave()
          effects.enter(type)
          inner = type
        }
        effects.consume(code)
        if (isLineEnding) leave()
        return read
      }
      return (code) => {
        if (from < to) effects.enter('codeText')
        return read(code)
      }
    },
  }
}
