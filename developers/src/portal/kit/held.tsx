import { useEffect, useState } from 'react'
import { useTurns } from '../api/turns.ts'
import type { Environment } from '../environment.ts'
import { Countdown } from './loaded.tsx'

/** Tells that calls wait because there were too many. */
export function Held({ environment }: { environment: Environment }) {
  const { isSlow, heldUntil } = useTurns(environment)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (heldUntil === 0) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [heldUntil])
  return (
    <div className={isSlow ? 'note' : undefined} data-tone="warn">
      <div role="status">
        {isSlow && (
          <p>
            <strong>Too many calls for now.</strong> The portal shares its limits with your programs. It goes on as they
            allow it; nothing is lost.
          </p>
        )}
      </div>
      {heldUntil > 0 && <Countdown seconds={Math.max(1, Math.ceil((heldUntil - now) / 1_000))} />}
    </div>
  )
}
