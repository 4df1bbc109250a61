import { NoAnswer, Unreachable } from './problems.ts'

/** No operation takes as long: what has not answered by then hangs. */
const patienceMilliseconds = 30_000

/** An answer, with its body where that is JSON. */
export type Exchange = { response: Response; body: unknown }

/**
 * Asks a host for one answer and reads all of it.
 * @throws Unreachable, NoAnswer; AbortError if the caller gives up by `init.signal`
 */
export async function exchange(url: string, init: RequestInit): Promise<Exchange> {
  const isChange = init.method !== undefined && init.method !== 'GET'
  const wasOffline = !navigator.onLine
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), patienceMilliseconds)
  const signal = init.signal ? AbortSignal.any([init.signal, patience.signal]) : patience.signal
  try {
    const response = await fetch(url, { ...init, signal, credentials: 'omit', cache: 'no-store' })
    return { response, body: parsed(await response.text()) }
  } catch (error) {
    if (patience.signal.aborted) throw new NoAnswer(isChange)
    if (init.signal?.aborted) throw error
    throw new Unreachable(isChange, wasOffline)
  } finally {
    clearTimeout(timer)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
