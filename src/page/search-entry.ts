/** A section that the search of the documentation finds, with its page: the index is an array of these. */
export type SearchEntry = readonly [url: string, page: string, section: string, text: string]
