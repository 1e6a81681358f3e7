/** Replaces `src/server/site-folder.ts` in tests: the files of the site, built from the sources. */

export const siteFolder: URL = new URL('../node_modules/.cache/site/', import.meta.url)
