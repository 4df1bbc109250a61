import { SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Empty } from '../kit/empty.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { changeInWords, factInWords } from './history-words.ts'
import classes from './order.module.css'
import type { Order } from './order.ts'

type Entry = AnswerOf<'readOrderHistory'>['entries'][number]
type Kind = Entry['kind']

const kinds: readonly { value: Kind | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'change', label: 'Changes' },
  { value: 'event', label: 'Events' },
  { value: 'proof', label: 'Proofs' },
  { value: 'delivery', label: 'Webhooks' },
  { value: 'mail', label: 'Mail' },
  { value: 'request', label: 'Requests' },
]

/** What happened, newest first: changes, proofs, webhooks, mails and the requests that led to them. */
export function OrderHistory({ order }: { order: Order }) {
  const environment = useEnvironment()
  const [{ kind = '' }, set] = useUrlState()
  const query = kind === '' ? {} : { kind: [kind as Kind] }
  const history = useInfiniteQuery(
    list(
      environment,
      'readOrderHistory',
      { path: { orderNumber: order.orderNumber }, query },
      { live: ['order', 'line', 'shipment'], limit: 50 },
    ),
  )
  return (
    <Section
      title="History"
      actions={
        <SegmentedControl
          aria-label="Kind"
          className={classes.kinds}
          data={[...kinds]}
          value={kind}
          onChange={(value) => set({ kind: value || undefined })}
        />
      }
    >
      <Loaded query={history}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          if (entries.length === 0)
            return <Empty title={kind ? 'Nothing of this kind happened yet' : 'Nothing happened yet'} />
          return (
            <>
              <ol className={classes.timeline}>
                {entries.map((entry) => (
                  <li key={`${entry.kind} ${entry.id}`}>
                    <When at={entry.at} />
                    <span aria-hidden>·</span>
                    <div>
                      <Told entry={entry} order={order} />
                    </div>
                  </li>
                ))}
              </ol>
              {history.hasNextPage && (
                <button type="button" className={classes.open} onClick={() => void history.fetchNextPage()}>
                  Show earlier
                </button>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Told({ entry, order }: { entry: Entry; order: Order }) {
  const about = [
    entry.lineNumber !== null && `line ${entry.lineNumber}`,
    entry.shipmentNumber !== null && `shipment ${entry.shipmentNumber}`,
  ].filter(Boolean)
  return (
    <>
      <strong>{entry.says ?? titleOf(entry)}</strong>{' '}
      {entry.outcome && <Status value={entry.outcome} tone={toneOf(entry)} />}
      <div className={classes.soft}>
        {parted([
          ...about,
          entry.actor && actorOf(entry.actor, order),
          entry.to && `to ${entry.to}`,
          ...factsOf(entry),
          placeOf(entry) && (
            <At key="open" to={placeOf(entry)!}>
              Open
            </At>
          ),
          entry.kind !== 'request' && entry.requestId && (
            <At key="request" to={`/support/requests/${entry.requestId}`}>
              Request
            </At>
          ),
        ])}
      </div>
    </>
  )
}

/** A partner by name. */
function actorOf({ kind, id }: NonNullable<Entry['actor']>, order: Order): string {
  return kind === 'PARTNER' && id === order.partnerId && order.partnerName !== null
    ? order.partnerName
    : `${kind.toLowerCase()} ${id}`
}

function parted(parts: readonly ReactNode[]): ReactNode {
  return parts.filter(Boolean).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && ' · '}
      {part}
    </Fragment>
  ))
}

function titleOf({ kind, what }: Entry): string {
  if (kind === 'request') return `Request ${what}`
  const words = changeInWords(what)
  if (kind === 'delivery') return `Webhook: ${words.toLowerCase()}`
  if (kind === 'event') return `Told to webhooks: ${words.toLowerCase()}`
  return kind === 'mail' ? `Mail: ${words.toLowerCase()}` : words
}

function toneOf({ kind, outcome }: Entry): 'good' | 'bad' | undefined {
  return kind === 'request' ? (Number(outcome) < 400 ? 'good' : 'bad') : undefined
}

/** What a change tells in few words: plain values only. */
function factsOf({ facts, moneyFacts, lineNumber }: Entry): string[] {
  return Object.entries({ ...facts, ...moneyFacts }).flatMap(([name, value]) =>
    name === 'lineNumber' && value === lineNumber ? [] : (factInWords(name, value) ?? []),
  )
}

function placeOf({ kind, id }: Entry): string | undefined {
  if (kind === 'request') return `/support/requests/${id}`
  if (kind === 'delivery') return `/support/deliveries/${id}`
  return kind === 'mail' ? `/support/mails/${id}` : undefined
}
