/** Tells the current instant. It is passed as an argument so that tests and the sandbox can keep a time of their own. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Converts real time (`now`) to the time of a partner's own clock. Only the sandbox has such clocks. */
export type PartnerTime = (partnerId: string, now: Date) => Promise<Date>
