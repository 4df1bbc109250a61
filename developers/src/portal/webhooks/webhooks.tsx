import { useEnvironment } from '../environment.ts'
import { Page } from '../kit/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'
import { Receivers } from './receivers.tsx'

/** Where events are sent, and what became of each. */
export function Webhooks() {
  const isSandbox = useEnvironment() === 'sandbox'
  return (
    <Page
      title="Webhooks"
      says={
        <>
          Where your events are sent, and what became of each delivery.{' '}
          <a href="/guides/webhooks/">How to receive them</a>
        </>
      }
    >
      {isSandbox ? <Receivers /> : <Endpoints />}
      <Deliveries />
    </Page>
  )
}
