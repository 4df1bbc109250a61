import { Outage } from './outage.ts'

/** The answer, unless it takes longer than so many milliseconds. @throws Outage of `what` then; a later answer is ignored */
export async function inTime<Answer>(answer: Promise<Answer>, milliseconds: number, what: string): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Outage(`${what} did not answer in time`)), milliseconds)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
