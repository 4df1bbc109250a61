import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'

/** That a partner of the sandbox lives ahead of the others, and what its clock shows. */
export function OwnClock({ partnerId }: { partnerId: string | null }) {
  const environment = useEnvironment()
  const may = useMay()
  const { data } = useQuery({
    ...read(environment, 'readSandboxClock', { path: { partnerId: partnerId ?? '' } }),
    enabled: environment === 'sandbox' && partnerId !== null && may('readSandboxClock'),
  })
  if (!data || data.aheadSeconds < 60) return null
  return (
    <span data-varies>
      <Status value="info" label={`Its clock is ${aheadInWords(data.aheadSeconds)} ahead:`} /> <When at={data.now} />
    </span>
  )
}

/** `30 h`, `60 d`; minutes below an hour. */
export function aheadInWords(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`
}
