import { Outage } from './outage.ts'

/**
 * The answer, unless it takes longer than this many milliseconds. A later answer is ignored. An answer that arrived
 * while this process was busy is not late.
 * @throws Outage naming `what`
 */
export async function inTime<Answer>(answer: Promise<Answer>, milliseconds: number, what: string): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(new Outage(`${what} did not answer in time`))
  const timer = setTimeout(() => setImmediate(giveUp), milliseconds)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
