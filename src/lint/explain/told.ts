/** What a rule says, and where what it is about starts and ends. */
export type Told = readonly [section: string, message: string, start: number, end: number]
