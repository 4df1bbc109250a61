/** Tells the current instant. Passed down as an argument, so that tests and the sandbox can hold their own time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Tells what time it is for a partner while it is `now` in the world. Only the sandbox has such a clock. */
export type PartnerTime = (partnerId: string, now: Date) => Promise<Date>
