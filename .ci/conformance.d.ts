/** The chapters that the package contains, by the names of their files. */
export function chapters(): Record<string, string>
/** The chapters as compressed JSON for other implementations. */
export function conformance(): Promise<Buffer>
