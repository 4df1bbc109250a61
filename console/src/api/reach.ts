import { useSyncExternalStore } from 'react'

/** Whether the service answers. A call that got no answer only raises the doubt: a read of the session decides. */

let state: 'here' | 'doubted' | 'away' = 'here'
const listeners = new Set<() => void>()

/** how long the service has to answer, and how often it is asked while it is away */
const patience = 8_000
const between = 2_000

/** Something was not answered. If it was the service, the pages say so until it answers again. */
export function doubt(): void {
  if (state !== 'here') return
  state = 'doubted'
  void ask()
}

async function ask(): Promise<void> {
  const answers = await fetch('/staff/v1/session', { signal: AbortSignal.timeout(patience) })
    // What is not read to its end keeps a connection, and browsers open only few.
    .then(async (answer) => {
      await answer.text()
      return answer.status < 500
    })
    .catch(() => false)
  state = answers ? 'here' : 'away'
  for (const listener of listeners) listener()
  if (!answers) window.setTimeout(ask, between)
}

window.addEventListener('offline', doubt)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The service does not answer: what is on the page is what was read last. */
export function useIsAway(): boolean {
  return useSyncExternalStore(subscribe, () => state === 'away')
}
