/** A section that the search of the documentation finds, with its page. The index is an array of such entries. */
export type SearchEntry = readonly [url: string, page: string, section: string, text: string]
