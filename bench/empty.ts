/** An empty file: the cost of an import by itself. */
export {}
