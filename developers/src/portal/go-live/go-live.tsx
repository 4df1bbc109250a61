import { At } from '../address.tsx'
import type { AnswerOf } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { Loaded } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { Status, type Tone } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'

type Item = AnswerOf<'getGoLive'>['items'][number]
type Evidence = NonNullable<Item['evidence']>

const states: Readonly<Record<Item['state'], readonly [label: string, tone: Tone]>> = {
  done: ['Done', 'good'],
  not_yet: ['Not seen yet', 'idle'],
  failed: ['Went wrong', 'bad'],
}

/** What the integration has shown here, before it meets real orders. */
export function GoLive() {
  const goLive = useRead('getGoLive', {}, { every: 10_000 })
  return (
    <Page
      title="Go-live"
      says={
        <>
          What your integration has shown in the sandbox, scored from its own traffic. Your contact sees the same list.{' '}
          <a href="/guides/going-live/">Going live</a>
        </>
      }
    >
      <Loaded query={goLive}>
        {({ ready, items }) => (
          <>
            <Progress items={items} />
            {ready && (
              <p className="note" data-tone="good">
                Everything was seen. Tell your contact that you are ready.
              </p>
            )}
            <ol className="checklist">
              {items.map((item) => (
                <ItemShown key={item.key} item={item} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </Page>
  )
}

export function doneOf(items: readonly Item[]): number {
  return items.filter(({ state }) => state === 'done').length
}

function Progress({ items }: { items: readonly Item[] }) {
  const done = doneOf(items)
  return (
    <div className="gauge">
      <strong>
        {done} of {items.length} done
      </strong>
      <progress aria-label="Done" max={items.length} value={done}>
        {done} of {items.length}
      </progress>
    </div>
  )
}

function ItemShown({ item: { key, title, state, evidence, toDo, guide } }: { item: Item }) {
  const [label, tone] = states[state]
  return (
    <li className="card" data-state={state}>
      <div className="head">
        <h2>{title}</h2>
        <Status value={state} tone={tone} label={label} />
      </div>
      {evidence && <Seen evidence={evidence} isByOwnClock={byOwnClock.has(key)} />}
      {state !== 'done' && (
        <p>
          {toDo} <a href={guide}>How to</a>
        </p>
      )}
    </li>
  )
}

/** What is dated by the partner's own clock in the sandbox, which may be ahead; the rest happened at its real time. */
const byOwnClock: ReadonlySet<string> = new Set(['order_completed', 'declined_proof_handled', 'artwork_mended'])

/** What was seen, and the way to it. */
function Seen({
  evidence: { says, on, requestId, deliveryId, orderNumber },
  isByOwnClock,
}: {
  evidence: Evidence
  isByOwnClock: boolean
}) {
  return (
    <p className="soft">
      {says} <When at={on} zone />
      {isByOwnClock ? ' by your sandbox clock.' : '.'}{' '}
      <span className="links">
        {requestId !== null && (
          <At page="requests" filters={{ chosen: requestId }}>
            The request
          </At>
        )}
        {deliveryId !== null && (
          <At page="webhooks" filters={{ chosen: String(deliveryId) }}>
            The delivery
          </At>
        )}
        {orderNumber !== null && (
          <At page="world" filters={{ orderNumber: String(orderNumber) }}>
            Order {orderNumber}
          </At>
        )}
      </span>
    </p>
  )
}
