/**
 * A small bug, planted on purpose: in the file `in`, the text `from`, which occurs there once, becomes `to`. At least
 * one test of the file `caughtBy` must fail then. `says` tells what the bug does.
 */
export type Mutant = { says: string; in: string; from: string; to: string; caughtBy: string }
