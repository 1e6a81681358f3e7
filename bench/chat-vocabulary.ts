/** The parts of the messages of `chat`, in addition to the sentences of `vocabulary.ts` and in the same form. */
import { list } from './vocabulary.js'

/** Whole messages that are sent a hundred times a day. */
export const replies: readonly string[] =
  list(`ok | thanks! | {emoji} | {emoji}{emoji} | +1 | yes | no idea | on it | brb | done {emoji} | same here | will do | merged |
  sounds good | one sec | :-) | ¯\\_(ツ)_/¯ | what?! | да | 好的 | 了解です | ㅋㅋㅋ | danke {emoji} | ¡gracias! | merci | ok, {time} |
  thank you <@{userID}> {emoji} | ping {mention} | lgtm, merged | {mention} {emoji} | -_- | _sigh_ | **yes** | *no* | done: {url}`)

/** Sentences about people's work, with names, commands, URLs and mentions. */
export const statements: readonly string[] =
  list(`{mention} can you look at {url}? | standup at {time}, {mention} | assigned to {mention} |
  \`{snake}\` returns \`null\` if \`{camel} < {number}\` | try \`{command}\` or \`{command}\` | \`{command} && {command}\` did it for me |
  {snake} is {number} ms slower than {snake} | rename \`{snake}\` to \`{camel}\`, then run \`{command}\` | I get \`{error}\` since {time} |
  see [{phrase}]({url}) and [{ticket}]({url}) | the notes are in [{phrase}]({url}), _{phrase}_ | {ticket} is done, {ticket} is next |
  merged \`{branch}\` into \`main\` | [{ticket}]({url}) is **{phrase}**, {mention} please | the flag is \`--{flag}\` |
  -{phrase}- **{phrase}** | {constant}={number} in \`.env\` & restart | {url} vs {url} | it fails in \`{path}\`, line {number}: \`{error}\` |
  {path} and {path} both import \`{snake}\` | x = {camel} * {number} | {number}% errors between {time} and {time}: {url}?from={number}&to={number} |
  reverted in {hash}, sorry {mention} | who owns [{snake}]({url})? {mention}? | Q&A with {name} at {time} |
  the new *{phrase}* is _not_ the old *{phrase}* | it's _{phrase}_, **not** {phrase} | p95 < {number} ms & p99 < {number} ms {emoji} |
  \`{camel}<{camel}>\` or \`{camel}[]\`? | R&D say {number} < {number} <{number} needed>`)

/** Texts that can follow a sentence. */
export const asides: readonly string[] =
  list(`(R&D) | <3 | <3 | cc {mention} | - see {url} | ({url}) | [{phrase}]({url}) | \`{snake}\` | \`{camel}\` or \`{snake}\` |
  if x < {number} | -> {url} | (\`{command}\`) | _{phrase}_ | **{phrase}** | -{phrase}- **{phrase}** | *{phrase}* | {name} too |
  [**{phrase}**]({url}) | _{name}_ | \\*{phrase} | (_{phrase}_, *{phrase}*) | [{ticket}]({url}) and [{ticket}]({url}) | **{phrase}**: \`{error}\``)

/** Delimiters around a word; bold is twice as frequent as the others. */
export const markers: readonly string[] = list('** | ** | * | _ | -')

/** Whole messages of bots. */
export const notices: readonly string[] =
  list(`**Build {number}** of \`{snake}\` failed: {mention} [log]({url}) | **{ticket}** {phrase} · {mention} · [open]({url}) |
  # Deploy {version}~## {phrase}~* \`{hash}\` by {mention}~* [changes]({url}) | **{name}** merged [{ticket}]({url}): _{phrase}_ & {number} more |
  {emoji} \`{snake}\` is up again after **{number} min** & {number} retries | **{snake}** {number} -> {number} (< {number}) {emoji} |
  # {phrase}~{mention} and {mention} are on call until **{date}** | <!{userID}-log> | **{phrase}:** {url}?a={number}&b={number} _({time})_`)

export const intros: readonly string[] = list(
  `todo: | {mention} for you: | today & tomorrow: | **{phrase}** | notes of {date}: | **{phrase}:** cc {mention} | open: | # {phrase}`,
)

/** Texts of list items. */
export const items: readonly string[] =
  list(`{mention}: {phrase} | **{name}:** {phrase}, _{phrase}_ | \`{command}\` | [{ticket}]({url}) _{phrase}_ | {ticket} -> {mention} |
  -{phrase}- | {phrase} | {phrase}, {phrase} | {url} | \`{snake}\` < {number} | *{phrase}* until {date} | {name}, {name} {emoji}`)
