import type { Logger } from 'pino'
import { startWorker, type Worker } from '../database/worker.ts'
import type { KeptMails } from '../outside/mailer/kept-mails.ts'
import { forgetOrphans } from '../platform/mail/forget-mails.ts'
import type { Clock } from '../vocabulary/clock.ts'
import type { KeyRing } from '../vocabulary/keys.ts'
import { type ErasureParts, finishErasures, reapplyErasures } from './erase-person.ts'

const pollMilliseconds = 60_000
/** So often each process looks for kept mails of its own that others erased. */
const orphansMilliseconds = 3_600_000
/** A mail is sent within this time. */
const sendingMilliseconds = 600_000

/**
 * Keeps erasures whole: erases again whom an older backup brought back, and finishes what was cut off. Resolves after a
 * first round, or at once after an outage or a file that cannot be removed, which the rounds to come make good.
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
  let orphansFrom = 0
  const goThrough = async (): Promise<void> => {
    const damaged = (ledgerNumber: number): void =>
      log.error({ ledgerNumber }, 'an entry of the ledger of erasures is damaged; whom it names may be there again')
    const again = await reapplyErasures({ ...parts, damaged, now: clock() })
    if (again > 0) log.warn({ persons: again }, 'erased persons again whom an older backup had brought back')
    const now = clock().getTime()
    if (now >= orphansFrom) {
      await forgetOrphans(parts.database.longReads, parts.keptMails, new Date(now - sendingMilliseconds))
      orphansFrom = now + orphansMilliseconds
    }
    // Last, since a file that cannot be removed ends the round.
    await finishErasures(parts)
  }
  try {
    await goThrough()
  } catch (error) {
    log.error({ err: error }, 'could not read the ledger of erasures or remove its files; trying again soon')
  }
  return startWorker({ log, failed: 'erasures wait to be finished', pollMilliseconds, round: goThrough })
}
