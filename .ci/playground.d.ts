/** Makes the playground's document; gives its HTML. */
export function playground(): Promise<string>
