import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { deliveryReason } from '../support/delivery-reason.ts'
import classes from './partners.module.css'

/** How often it is asked whether an attempt has ended. */
const pollMilliseconds = 500

/** What came of a test ping, beside the button that sent it. */
export function PingOutcome({ deliveryId }: { deliveryId: number }) {
  const { data } = useQuery({
    ...read(useEnvironment(), 'readDelivery', { path: { deliveryId } }),
    refetchInterval: ({ state }) => (state.data?.outcome ? false : pollMilliseconds),
  })
  const outcome = data?.outcome
  return (
    <div role="status">
      <At to={`/support/deliveries/${deliveryId}`}>Test ping</At>{' '}
      <Status value={outcome ?? 'queued'} label={outcome ? undefined : 'Waiting for its answer'} />
      <span className={classes.soft}>
        {data?.responseStatus && ` · answered ${data.responseStatus}`}
        {data?.reason && ` · ${deliveryReason(data.reason)}`}
      </span>
    </div>
  )
}
