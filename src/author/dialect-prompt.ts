/** The dialect on one page, for a language model. */

/**
 * Instructions for a system prompt, at most 1,000 characters, that teach a language model to write the dialect. If you cannot
 * change the prompt, or the output has tables and nested lists, let the model write CommonMark and convert its output with
 * `createMarkdownStream` of `blockmark/markdown`.
 *
 * @example
 * const system = `You answer questions about deploys.\n\n${dialectPrompt}`
 * system.length < 1_100 // => true
 */
// The prompt is a single literal, so that a bundler can omit it if it is not used.
export const dialectPrompt: string = `Write for a team chat. Its markup is not Markdown. This is all of it:

**bold**
*italic*
_underlined_
-struck out-
\`code_1\`
[the log](https://example.com/7)
<@7|Ann>
# Heading
## Smaller heading
\\*not italic\\*

Lines that begin with \`* \` are a list, one line for each item. Code goes between lines of three backticks, the first with its language. A line ending shows. Delimiters close on the line where they open, directly next to the text that they format, with no letter outside. \`<@7|Ann>\` mentions the user 7: use only ids that you were given.

These show as typed: \`1. a\`, \`- a\`, \`> a\`, \`### a\`, \`| a | b |\`, \`~~a~~\`, \`__a__\`, \`<b>a</b>\`, \`[a](b.md)\`, \`![a](b.png)\`, \`snake_case\`, \`lib/*.js\`, \`--flag\`. Write a table as aligned columns in code.

A message:

## Deploy of core_api
All **42** checks passed, see [the log](https://example.com/7).

* built by <@7|Ann>
* took \`3 min\`

\`\`\`sh
npm test
\`\`\``
