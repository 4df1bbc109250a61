import type { ReactNode } from 'react'
import { At, type Filters } from '../address.tsx'
import { useList, useRead, type Listed } from '../api/queries.ts'
import { expiryOf } from '../credentials/credentials.tsx'
import { useEnvironment, type Environment } from '../environment.ts'
import { GoLiveGlance } from '../go-live/go-live-glance.tsx'
import { PartBoundary } from '../kit/boundary.tsx'
import { Page } from '../kit/page.tsx'
import { countOf } from '../kit/words.ts'
import { isMadeToFail } from '../requests/made-to-fail.ts'
import { isOfPortal } from '../requests/of-portal.ts'
import { timesOf } from '../requests/times.ts'
import { Glance, Unread } from './glance.tsx'

const often = { every: 30_000 }
// Calls of the partner API are in the log of the partner's calls.
const seldom = { every: 300_000 }
const lookedAt = 200
const lastDay: Filters = { last: '1d' }

const cards: readonly (readonly [title: string, card: () => ReactNode, only?: Environment])[] = [
  ['Calls', FailedCalls],
  ['Webhooks', FailedDeliveries],
  ['Orders that wait', ProofsThatWait],
  ['Limits', NearLimits],
  ['Credentials', EndingCredentials],
  ['Go-live', GoLiveGlance, 'sandbox'],
]

/** What needs the reader, each with the way to it. */
export function Overview() {
  const environment = useEnvironment()
  return (
    <Page title="Overview" says="What needs you, and what is well.">
      <ul className="cards">
        {cards
          .filter(([, , only]) => only === undefined || only === environment)
          .map(([title, Card]) => (
            <PartBoundary
              key={title}
              environment={environment}
              instead={(error, readAnew) => <Unread title={title} of={{ error, readAnew }} />}
            >
              <Card />
            </PartBoundary>
          ))}
      </ul>
    </Page>
  )
}

const isUnread = ({ isLoading, error, items }: Listed<unknown>) => isLoading || (error !== null && items.length === 0)

/** As many as were read; of more only that they are more. */
function manyOf({ items, hasMore }: Listed<unknown>, one: string, many?: string): string {
  const count = countOf(items.length, one, many)
  return hasMore ? `More than ${count}` : count
}

function FailedCalls() {
  const isSandbox = useEnvironment() === 'sandbox'
  const list = useList(
    'listRequests',
    'requests',
    () => ({ outcome: 'failed' as const, ...timesOf(lastDay), limit: lookedAt }),
    { ...often, key: 'overview' },
  )
  if (isUnread(list)) return <Unread title="Calls" of={list} />
  const all = list.items.filter((call) => !isOfPortal(call))
  const calls = isSandbox ? all.filter((call) => !isMadeToFail(call)) : all
  const madeToFail = all.length - calls.length
  const counts = new Map<string, number>()
  for (const { code, status } of calls) {
    const name = code ?? String(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const mostOften = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 4)
  const isWell = calls.length === 0
  return (
    <Glance
      title="Calls"
      page="requests"
      filters={isWell ? {} : { outcome: 'failed', ...lastDay }}
      tone={isWell ? 'good' : 'warn'}
      answer={`${isWell ? 'No call' : manyOf({ ...list, items: calls }, 'call')} failed in the last day`}
    >
      {!isWell && (
        <ul className="plain">
          {mostOften.map(([name, times]) => (
            <li key={name}>
              <At
                page="requests"
                filters={{ outcome: 'failed', ...lastDay, ...(/^\d+$/.test(name) ? { status: name } : { code: name }) }}
              >
                {name}
              </At>{' '}
              <span className="soft">× {times}</span>
            </li>
          ))}
        </ul>
      )}
      {madeToFail > 0 && (
        <p className="soft">
          Not counted: {countOf(madeToFail, 'quote or order', 'quotes or orders')} answered with 429 or 503, as the
          sandbox does when it is asked to.
        </p>
      )}
    </Glance>
  )
}

function FailedDeliveries() {
  const endpoints = useList('listWebhookEndpoints', 'webhookEndpoints', { limit: lookedAt }, often)
  const failed = useList(
    'listWebhookDeliveries',
    'webhookDeliveries',
    () => ({ outcome: 'FAILED' as const, ...timesOf(lastDay), limit: lookedAt }),
    { ...often, key: 'overview' },
  )
  const unread = [endpoints, failed].find(isUnread)
  if (unread) return <Unread title="Webhooks" of={unread} />
  const failing = endpoints.items.filter((endpoint) => endpoint.failing && endpoint.enabled)
  const disabled = endpoints.items.filter(({ enabled }) => !enabled)
  const { tone, answer } =
    failing.length > 0
      ? ({ tone: 'bad', answer: countOf(failing.length, 'endpoint fails', 'endpoints fail') } as const)
      : failed.items.length > 0
        ? ({ tone: 'warn', answer: `${manyOf(failed, 'delivery', 'deliveries')} failed in the last day` } as const)
        : endpoints.items.length === 0
          ? ({ tone: 'idle', answer: 'There is no endpoint yet' } as const)
          : ({ tone: 'good', answer: 'No delivery failed in the last day' } as const)
  return (
    <Glance
      title="Webhooks"
      page="webhooks"
      filters={failed.items.length > 0 ? { outcome: 'FAILED', ...lastDay } : {}}
      tone={tone}
      answer={answer}
    >
      <ul className="plain">
        {failing.map(({ endpointId, url }) => (
          <li key={endpointId} className="long">
            <At page="webhooks" filters={{ endpointId }}>
              {url}
            </At>
          </li>
        ))}
      </ul>
      {disabled.length > 0 && (
        <p className="soft">
          {countOf(disabled.length, 'endpoint is', 'endpoints are')} disabled: nothing is sent there.
        </p>
      )}
    </Glance>
  )
}

function ProofsThatWait() {
  const list = useList('listOrders', 'orders', { awaitingProof: true, limit: 20 }, seldom)
  if (isUnread(list)) return <Unread title="Orders that wait" of={list} />
  const isWell = list.items.length === 0
  return (
    <Glance
      title="Orders that wait"
      page="orders"
      tone={isWell ? 'good' : 'warn'}
      answer={isWell ? 'No proof waits' : `${manyOf(list, 'order')} with a proof to look at`}
    />
  )
}

/** The part of a limit from which on its use is told. */
const near = 0.8

function NearLimits() {
  const limits = useRead('getLimits', {}, often)
  if (!limits.data) {
    return <Unread title="Limits" of={{ error: limits.error, readAnew: () => void limits.refetch() }} />
  }
  const { dailyUsed, dailyQuota, dailyRemaining, enforced } = limits.data
  const isNear = enforced && dailyUsed >= near * dailyQuota
  return (
    <Glance
      title="Limits"
      page="limits"
      tone={!isNear ? 'good' : dailyRemaining === 0 ? 'bad' : 'warn'}
      answer={
        isNear
          ? `${countOf(dailyRemaining, 'call is', 'calls are')} left today`
          : `${Math.floor((dailyUsed / dailyQuota) * 100)} % of today’s calls are used`
      }
    />
  )
}

function EndingCredentials() {
  const list = useList('listCredentials', 'credentials', { limit: lookedAt }, often)
  if (isUnread(list)) return <Unread title="Credentials" of={list} />
  const ending = list.items.filter(({ status }) => status === 'EXPIRING' || status === 'EXPIRED')
  const isBad = ending.some(({ status }) => status === 'EXPIRED')
  return (
    <Glance
      title="Credentials"
      page="credentials"
      tone={ending.length === 0 ? 'good' : isBad ? 'bad' : 'warn'}
      answer={
        ending.length === 0
          ? `${countOf(list.items.length, 'credential')}, none near its end`
          : countOf(ending.length, 'credential needs a successor', 'credentials need successors')
      }
    >
      {ending.length > 0 && (
        <ul className="plain">
          {ending.map((credential) => (
            <li key={credential.credentialId}>
              <bdi>{credential.name ?? credential.credentialId}</bdi>{' '}
              <span className="soft">{expiryOf(credential).label.toLowerCase()}</span>
            </li>
          ))}
        </ul>
      )}
    </Glance>
  )
}
