export function buildSite(folder: string): Promise<void>
