/**
 * One step between a request and its answer. It records in the context what later steps need, or throws, mostly a
 * `Refusal`, and no later step is taken.
 */
export type Step<Context> = (context: Context) => void | Promise<void>

/** Takes the steps in order, until one throws. */
export async function takeSteps<Context>(steps: readonly Step<Context>[], context: Context): Promise<void> {
  for (const step of steps) {
    const underWay = step(context)
    // Most steps finish at once: awaiting those too would delay every request.
    if (underWay) await underWay
  }
}
