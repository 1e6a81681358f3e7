/** Pieces of messages: the constructs that people type, and those that are never cut. */
export const pieces: readonly string[] = [
  ...['a', 'bb ', 'ccc. ', 'Dd! ', 'e? f', '(g.) ', 'word ', 'longer_word ', ' ', '  ', '\n', '\n', '\n\n'],
  ...['**', '*', '_', '-', '* x\n', '# h\n', '## ', '```\n', '```js\n  x = 1\n', '[l m](http://a)', 'http://a.b/c '],
  ...['<@1|n>', '<!1|f>\n', '`c d` ', '😀', 'e\u0301', '\u2063**', '\\*', '\u3000'],
]
