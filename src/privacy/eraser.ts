import type { Logger } from 'pino'
import { startWorker, type Worker } from '../database/worker.ts'
import type { KeptMails } from '../outside/mailer/kept-mails.ts'
import { forgetOrphans } from '../platform/mail/forget-mails.ts'
import type { Clock } from '../vocabulary/clock.ts'
import type { KeyRing } from '../vocabulary/keys.ts'
import { type ErasureParts, finishErasures, reapplyErasures } from './erase-person.ts'

const pollMilliseconds = 60_000
/** So often each process looks for kept mails of its own that others erased, and beyond holes in the ledger. */
const longLookMilliseconds = 3_600_000
/** A mail is sent within this time. */
const sendingMilliseconds = 600_000

/**
 * Keeps erasures whole: erases again whom an older backup brought back, and finishes what was cut off. Resolves once those
 * persons are erased again, or after an outage, which the rounds to come make good.
 */
export async function startEraser(
  parts: ErasureParts & {
    keptMails: Pick<KeptMails, 'forget' | 'list'>
    erasureKeys: KeyRing
    clock: Clock
    log: Logger
  },
): Promise<Worker> {
  const { clock, log } = parts
  const told = new Set<number>()
  const isNews = (ledgerNumber: number): boolean => !told.has(ledgerNumber) && told.add(ledgerNumber).size > 0
  const damaged = (ledgerNumber: number): void => {
    if (!isNews(ledgerNumber)) return
    log.error({ ledgerNumber }, 'an entry of the ledger of erasures is damaged; whom it names may be there again')
  }
  const missing = (all: readonly number[]): void => {
    const ledgerNumbers = all.filter(isNews)
    if (ledgerNumbers.length === 0) return
    log.error({ ledgerNumbers }, 'entries of the ledger of erasures are missing; whom they name may be there again')
  }
  let holesFrom = 0
  const eraseAgain = async (): Promise<void> => {
    const now = clock()
    const looksFar = now.getTime() >= holesFrom
    const again = await reapplyErasures({ ...parts, damaged, missing: looksFar ? missing : undefined, now })
    if (looksFar) holesFrom = now.getTime() + longLookMilliseconds
    if (again > 0) log.warn({ persons: again }, 'erased persons again whom an older backup had brought back')
  }
  let orphansFrom = 0
  const forgetLeftMails = async (): Promise<void> => {
    const now = clock().getTime()
    if (now < orphansFrom) return
    await forgetOrphans(parts.database.longReads, parts.keptMails, new Date(now - sendingMilliseconds))
    orphansFrom = now + longLookMilliseconds
  }
  try {
    await eraseAgain()
  } catch (error) {
    log.error({ err: error }, 'could not apply the whole ledger of erasures; trying again soon')
  }
  return startWorker({
    log,
    failed: 'erasures wait to be finished',
    pollMilliseconds,
    round: async ({ closing: ending }) => {
      // What fails holds up nothing else.
      const failures: unknown[] = []
      for (const step of [eraseAgain, forgetLeftMails, () => finishErasures({ ...parts, ending })])
        await step().catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  })
}
