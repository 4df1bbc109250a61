/**
 * One step on the way of a request to its answer. It writes down what it found out for the steps after it, or throws to
 * end the way: mostly a `Refusal`.
 */
export type Step<At> = (at: At) => void | Promise<void>

/** Takes the steps in their order, until one throws. */
export async function takeSteps<At>(steps: readonly Step<At>[], at: At): Promise<void> {
  for (const step of steps) {
    const underWay = step(at)
    // Most steps are done at once, and none of them waits a turn for nothing.
    if (underWay) await underWay
  }
}
