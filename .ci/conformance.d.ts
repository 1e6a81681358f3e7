/** The chapters as compressed JSON for other implementations. */
export function conformance(): Promise<Buffer>
