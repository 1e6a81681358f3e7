/** The folder of the files that are built with the package: documentation, styles and scripts. */

export const siteFolder: URL = new URL('site/', import.meta.url)
