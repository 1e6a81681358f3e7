/**
 * The count of steps. A step is one iteration of a loop, one call of a function of the package or of a dependency, or one
 * character or element that a built-in reads, copies or fills in (`built-ins.ts`). A regular expression takes one step each
 * time it tries a character. A built-in that reads only a few (`charCodeAt`, `push`, `Math.min`) is part of the function that
 * calls it. So are `+` on strings, which makes a rope, and `slice` of a string, which refers to its parent. The numbers that
 * typed arrays are filled with are counted apart: many of them cost as much as one step.
 */
export const meter: { steps: number; numbers: number } = { steps: 0, numbers: 0 }
