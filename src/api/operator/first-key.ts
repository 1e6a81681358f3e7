/** What the first start made: the key is known here and nowhere else. */
export interface FirstKey {
  readonly key: string
  readonly organization: string
  readonly bot: string
}
