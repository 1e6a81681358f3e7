/** The dialect on one page, for a language model. */

/**
 * Instructions for a system prompt, at most 1,200 characters, that teach a language model to write the dialect. If you cannot
 * change the prompt, or the output has tables and nested lists, let the model write CommonMark and convert its output with
 * `createMarkdownStream` of `blockmark/markdown`.
 *
 * @example
 * const system = `You answer questions about deploys.\n\n${dialectPrompt}`
 * system.length < 1_300 // => true
 */
// The prompt is a single literal, so that a bundler can omit it if it is not used.
export const dialectPrompt: string = `Write for a team chat. Its markup looks like Markdown and is not. This is all of it, and how it shows:

**bold** → <strong>bold</strong>
*italic* → <em>italic</em>
_underlined_ → <u>underlined</u>
-struck out- → <del>struck out</del>
\`code_1\` → <code>code_1</code>
[the log](https://example.com/7) → <a href="https://example.com/7">the log</a>
<@7|Ann> → <span class="mention" data-user-id="7">@Ann</span>
# Heading → <h1>Heading</h1>
## Smaller heading → <h2>Smaller heading</h2>
\\*not italic\\* → *not italic*

Lines that begin with \`* \` are a list, one line for each item. Code goes between lines of three backticks, the first with its language. A line ending shows. Delimiters close on the line where they open, directly next to the text that they format, with no letter outside. Mention only ids that you were given.

These show as typed: \`1. a\`, \`- a\`, \`> a\`, \`### a\`, \`| a | b |\`, \`~~a~~\`, \`__a__\`, \`<b>a</b>\`, \`[a](b.md)\`, \`![a](b.png)\`, \`snake_case\`, \`lib/*.js\`, \`--flag\`. Write a table as aligned columns in code.

A message:

## Deploy of core_api
All **42** checks passed, see [the log](https://example.com/7).

* built by <@7|Ann>
* took \`3 min\`

\`\`\`sh
npm test
\`\`\``
