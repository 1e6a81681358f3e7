/**
 * How much is tried: little while somebody works on the project (`npm test`), all of it where `CI` is set, as `.ci/run` does. How often
 * properties run is `properties/property.ts`'s.
 */

const { CI = '' } = process.env

/** Whether all of it is tried. */
export const isThorough: boolean = CI !== ''
