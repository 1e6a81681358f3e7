/** The file that imports nothing and does nothing: what importing costs by itself. */
export {}
