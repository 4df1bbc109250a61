import type { Logger } from 'pino'
import { inTime } from '../vocabulary/in-time.ts'
import type { ProcessState } from './metrics.ts'

/** Whether the process can do its work now, told by what of what it needs is away, and why. */
export type Readiness = {
  /** @param look rejects while the dependency cannot be used */
  watch: (what: string, look: () => Promise<unknown>) => void
  /** from now on the process is not ready, since it stops */
  drain: () => void
  read: () => Promise<ReadinessReport>
}

export type ReadinessReport = { ready: boolean; checked: readonly string[]; away: readonly Away[] }

/** `why` has no URL and no secret. */
export type Away = { what: string; why: string }

const lookMilliseconds = 2_000
/** Callers within this time after a look share what it found. */
const keptMilliseconds = 1_000

const draining: Away = { what: 'draining', why: 'the process was asked to stop' }

export function createReadiness(log: Logger): Readiness {
  const watched = new Map<string, () => Promise<unknown>>()
  let isDraining = false
  let latest: Promise<readonly Away[]> | undefined
  let awayBefore = ''

  async function lookAtAll(): Promise<readonly Away[]> {
    const found = await Promise.all([...watched].map((each) => lookAt(...each)))
    const away = found.filter((each) => each !== undefined)
    tellChange(away)
    return away
  }

  function tellChange(away: readonly Away[]): void {
    const names = away.map(({ what }) => what).join()
    if (names === awayBefore) return
    awayBefore = names
    if (away.length > 0) log.warn({ away }, 'not ready')
    else log.info('ready again')
  }

  function look(): Promise<readonly Away[]> {
    latest ??= lookAtAll().finally(() => setTimeout(() => (latest = undefined), keptMilliseconds).unref())
    return latest
  }

  return {
    watch: (what, each) => void watched.set(what, each),
    drain: () => void (isDraining = true),
    read: async () => {
      // While it stops, what it needs is closed one after the other.
      const away = isDraining ? [draining] : await look()
      return { ready: away.length === 0, checked: [...watched.keys()], away }
    },
  }
}

/** The same in a word. */
export function stateOf({ ready, away }: ReadinessReport): ProcessState {
  return ready ? 'ready' : away.includes(draining) ? 'draining' : 'unready'
}

async function lookAt(what: string, look: () => Promise<unknown>): Promise<Away | undefined> {
  try {
    await inTime(look(), lookMilliseconds, 'it')
    return undefined
  } catch (error) {
    return { what, why: whyOf(error) }
  }
}

const wordsForCodes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'the right to use it is missing',
  ENOENT: 'it is not there',
}

/** In words from the first cause: its code, or what the dependency itself said. */
export function whyOf(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  const { code, message } = cause as NodeJS.ErrnoException
  // A driver's message may quote an address; only those without one are repeated.
  const said = message.includes('://') ? 'it failed' : message
  if (code === undefined) return said
  // The message of a system error names files and addresses, that of PostgreSQL says more than its code.
  return /^[0-9]/.test(code) ? `${said} (${code})` : `${wordsForCodes[code] ?? 'it failed'} (${code})`
}
