/** Tells the current instant. Passed down as an argument, so that tests and the sandbox can hold their own time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
