import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './partners.module.css'

type Evidence = NonNullable<AnswerOf<'getGoLive'>['items'][number]['evidence']>

/** What the partner's integration has shown in the sandbox, and how it gets what is still to be seen. */
export function GoLive({ partnerId }: { partnerId: string }) {
  const goLive = useQuery(read(useEnvironment(), 'getGoLive', { path: { partnerId } }))
  return (
    <Loaded query={goLive}>
      {({ ready, items }) => (
        <>
          <p>
            <Status
              value={ready ? 'ready' : 'not_yet'}
              label={
                ready
                  ? 'Everything was seen'
                  : `${items.filter(({ state }) => state === 'done').length} of ${items.length} were seen`
              }
            />
          </p>
          <ul className={classes.findings}>
            {items.map(({ key, title, state, evidence, toDo }) => (
              <li key={key}>
                <Status value={state} />
                <span>
                  {title}
                  <br />
                  <span className={classes.soft}>
                    {evidence ? <Seen evidence={evidence} /> : toDo}
                    {evidence && state !== 'done' && ` ${toDo}`}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  )
}

function Seen({ evidence }: { evidence: Evidence }) {
  const { says, on, orderNumber, requestId, deliveryId } = evidence
  const may = useMay()
  const places: [shown: boolean, to: string, label: string][] = [
    [orderNumber !== null && may('readOrder'), `/orders/${orderNumber}`, `Order ${orderNumber}`],
    [requestId !== null && may('readRequest'), `/support/requests/${requestId}`, 'Request'],
    [deliveryId !== null && may('readDelivery'), `/support/deliveries/${deliveryId}`, 'Delivery'],
  ]
  return (
    <>
      {says} <When at={on} />
      {places.map(
        ([shown, to, label]) =>
          shown && (
            <span key={to}>
              {' '}
              <At to={to}>{label}</At>
            </span>
          ),
      )}
    </>
  )
}
