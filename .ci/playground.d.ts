/** Makes the playground's document; gives its HTML. */
export function playground(): Promise<string>
/** Makes the fuzzer, a script that a service serves next to the document. */
export function fuzzer(): Promise<string>
