import { useEffect, useRef, useState } from 'react'
import { At, changedSearch, Go, useFilters, type Filters } from '../address.tsx'
import type { AnswerOf, InputOf } from '../api/client.ts'
import { operationTable } from '../api/contract.gen.ts'
import { useList, useRead, type Listed } from '../api/queries.ts'
import { announce } from '../kit/announce.ts'
import { useEnvironment } from '../environment.ts'
import { Beside } from '../kit/beside.tsx'
import { PartBoundary } from '../kit/boundary.tsx'
import { Copy } from '../kit/copy.tsx'
import { Facts } from '../kit/facts.tsx'
import { FilterSwitch, FilterText } from '../kit/fields.tsx'
import { Empty, Failed, Loaded } from '../kit/loaded.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Status } from '../kit/status.tsx'
import { Table, type Column } from '../kit/table.tsx'
import { When, zoneName } from '../kit/when.tsx'
import { countOf } from '../kit/words.ts'
import { isOfPortal } from './of-portal.ts'
import { TimeFilter } from './time-filter.tsx'
import { timesOf } from './times.ts'

export type LoggedRequest = AnswerOf<'listRequests'>['requests'][number]

function queryOf(filters: Filters): InputOf<'listRequests'> {
  const { outcome, operation, status, code, credential } = filters
  return {
    ...((outcome === 'failed' || outcome === 'succeeded') && { outcome }),
    ...(operation && { operation }),
    ...(status && /^[1-5]\d\d$/.test(status) && { status: Number(status) }),
    ...(code && { code }),
    ...(credential && { credential }),
    ...timesOf(filters),
    limit: 100,
  }
}

const operations = ['token', ...Object.keys(operationTable)]

/** The calls of the last 14 days: which failed, and why? */
export function Requests() {
  const environment = useEnvironment()
  const [filters, change] = useFilters()
  const [isFollowing, setIsFollowing] = useState(false)
  const { chosen, portal, ...asked } = filters
  const all = useList('listRequests', 'requests', () => queryOf(asked), {
    every: isFollowing && 3_000,
    key: asked,
    keyOf,
  })
  const list = {
    ...all,
    scanned: all.items.length,
    items: portal ? all.items : all.items.filter((request) => !isOfPortal(request)),
  }
  const isUnfiltered = Object.keys(asked).length === 0
  const isChosen = ({ requestId }: LoggedRequest): boolean => requestId === chosen
  const names = useCredentialNames()
  useFilled(list)
  useNews(list.items, isFollowing)
  return (
    <Page
      title="Requests"
      says="What your programs called in the last 14 days: what failed first, then all of it, newest first. Without bodies, which are not kept."
      actions={
        <button
          type="button"
          className="button"
          aria-pressed={isFollowing}
          onClick={() => setIsFollowing(!isFollowing)}
        >
          {isFollowing ? 'Following: stop' : 'Follow'}
        </button>
      }
    >
      <div className="filters" role="search" aria-label="Filters">
        <FilterSwitch
          name="outcome"
          label="Outcome"
          choices={[
            ['', 'All'],
            ['failed', 'Failed'],
            ['succeeded', 'Succeeded'],
          ]}
        />
        <FilterText name="operation" label="Operation" placeholder="submitOrder" offered={operations} />
        <FilterText name="status" label="Status" placeholder="429" inputMode="numeric" />
        <FilterText name="code" label="Problem code" placeholder="invalid_request" />
        <FilterText name="credential" label="Credential" placeholder="pc_…" />
        <TimeFilter kept="All 14 days" />
        <label className="check">
          <input
            type="checkbox"
            checked={Boolean(portal)}
            onChange={(event) => change({ portal: event.currentTarget.checked ? 'shown' : undefined })}
          />
          Also the calls of this portal
        </label>
      </div>
      <Beside
        title="Request"
        of={chosen}
        detail={chosen && <RequestDetail requestId={chosen} />}
        onClose={() => change({ chosen: undefined })}
      >
        {isUnfiltered && (
          <PartBoundary
            environment={environment}
            instead={(error, retry) => (
              <Section title="Failed">
                <Failed error={error} retry={retry} />
              </Section>
            )}
          >
            <NewestFailed columns={columns(names)} isChosen={isChosen} isAway={list.error !== null} />
          </PartBoundary>
        )}
        <Table
          label="Requests"
          list={list}
          columns={columns(names)}
          keyOf={keyOf}
          isChosen={isChosen}
          empty={
            isUnfiltered ? (
              <Empty title="No call yet">
                Calls are listed about a second after their answer. <a href="/">Make the first one</a>.
              </Empty>
            ) : (
              <Empty title="No call matches">Take a filter away, or look further back.</Empty>
            )
          }
        />
      </Beside>
    </Page>
  )
}

const failedShown = 5

/** Errors come first: the newest of them above the list of all calls. */
function NewestFailed({
  columns: shown,
  isChosen,
  isAway,
}: {
  columns: readonly Column<LoggedRequest>[]
  isChosen: (request: LoggedRequest) => boolean
  /** the list of all calls cannot be read either, and says so */
  isAway: boolean
}) {
  const failed = useList(
    'listRequests',
    'requests',
    { outcome: 'failed', limit: 50 },
    { key: 'newest failed', every: 30_000, keyOf },
  )
  const items = failed.items.filter((request) => !isOfPortal(request)).slice(0, failedShown)
  if (items.length === 0 && (isAway || (!failed.error && !failed.hasMore))) return null
  return (
    <>
      <Section title="Failed">
        <Table
          label="Failed"
          list={{ ...failed, items, hasMore: false }}
          columns={shown}
          keyOf={keyOf}
          isChosen={isChosen}
          empty={null}
        />
        <p>
          <At page="requests" filters={{ outcome: 'failed' }}>
            All that failed
          </At>
        </p>
      </Section>
      <h2 className="section">All</h2>
    </>
  )
}

/** The calls of tools that came in one request have its id. */
function keyOf({ requestId, operation, receivedOn }: LoggedRequest): string {
  return `${requestId} ${operation} ${receivedOn}`
}

/** By the ids that the log has. A revoked one is not known by its name any more. */
function useCredentialNames(): ReadonlyMap<string, string> {
  const { items } = useList('listCredentials', 'credentials', { limit: 200 }, { key: 'names' })
  return new Map(items.flatMap(({ credentialId, name }) => (name === null ? [] : [[credentialId, name] as const])))
}

function columns(names: ReadonlyMap<string, string>): readonly Column<LoggedRequest>[] {
  return [
    {
      header: 'Call',
      cell: (request) => (
        <Go className="choose" to={`${location.pathname}${changedSearch({ chosen: request.requestId })}`}>
          {callOf(request)}
        </Go>
      ),
    },
    { header: 'Answer', cell: (request) => <AnswerGiven request={request} /> },
    { header: `When (${zoneName()})`, cell: ({ receivedOn }) => <When at={receivedOn} /> },
    { header: 'Took', align: 'end', isMinor: true, cell: ({ milliseconds }) => `${Math.round(milliseconds)} ms` },
    { header: 'Credential', isMinor: true, cell: ({ credential }) => <Credential id={credential} names={names} /> },
  ]
}

function Credential({ id, names }: { id: string | null; names: ReadonlyMap<string, string> }) {
  if (id === null) return '–'
  const name = names.get(id)
  if (name === undefined) return <code>{id}</code>
  return (
    <span title={id}>
      <bdi>{name}</bdi>
    </span>
  )
}

/** `submitOrder`, or method and path where nothing has them. */
export function callOf({ operation, method, path }: LoggedRequest): string {
  return operation ?? `${method} ${path}`
}

export function AnswerGiven({ request: { status, code } }: { request: Pick<LoggedRequest, 'status' | 'code'> }) {
  return (
    <Status
      value={String(status)}
      tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}
      label={code === null ? String(status) : `${status} ${code}`}
    />
  )
}

/** The calls of the portal may fill pages: some more are read until there is enough of others to look at. */
function useFilled({
  items,
  scanned,
  hasMore,
  isFetching,
  readMore,
}: Listed<LoggedRequest> & { scanned: number }): void {
  const isShort = items.length < 20 && scanned > 0 && scanned < 600
  useEffect(() => {
    if (isShort && hasMore && !isFetching) readMore()
  }, [isShort, hasMore, isFetching, readMore])
}

/** Tells who listens how many calls came while the list was followed. */
function useNews(items: readonly LoggedRequest[], isFollowing: boolean): void {
  const newest = useRef<string>(undefined)
  useEffect(() => {
    const before = newest.current
    newest.current = items[0]?.requestId
    if (!isFollowing || before === undefined) return
    const came = items.findIndex(({ requestId }) => requestId === before)
    if (came > 0) announce(`${countOf(came, 'new call')}`)
  }, [items, isFollowing])
}

/** Why did this call answer as it did, and what can be done? */
function RequestDetail({ requestId }: { requestId: string }) {
  const request = useRead('getRequest', { requestId })
  return (
    <Loaded query={request}>
      {(logged) => (
        <>
          {[logged, ...logged.otherCalls].map((each, at) => (
            <RequestFacts key={at} request={each} />
          ))}
        </>
      )}
    </Loaded>
  )
}

function RequestFacts({ request }: { request: LoggedRequest }) {
  const { operation, status, code, meaning, guide, requestId } = request
  return (
    <>
      {status >= 400 && (
        <div className="note" data-tone={status < 500 ? 'warn' : 'bad'}>
          <p>
            <strong>{code ?? `Status ${status}`}</strong>
          </p>
          <p>{meaning ?? explained(status)}</p>
          {guide && (
            <p>
              <a href={guide}>What to do about {code}</a>
            </p>
          )}
        </div>
      )}
      <Facts
        facts={[
          ['Call', callOf(request)],
          ['Answer', <AnswerGiven key="answer" request={request} />],
          ['When', <When key="when" at={request.receivedOn} zone />],
          ['Took', `${Math.round(request.milliseconds)} ms`],
          [
            'Path',
            <code key="path">
              {request.method} {request.path}
            </code>,
          ],
          ['By', request.toolCall && 'An agent, as a tool'],
          ['Credential', request.credential && <code key="credential">{request.credential}</code>],
          ['Site', request.siteId],
          ['From', request.sourceAddress],
          [
            'Request',
            <span key="id">
              <code>{requestId}</code> <Copy text={requestId} what="the request id" />
            </span>,
          ],
          [
            'Others',
            operation && (
              <At key="others" page="requests" filters={{ operation, ...(code && { code }) }}>
                The same call{code && ' and answer'}
              </At>
            ),
          ],
        ]}
      />
    </>
  )
}

function explained(status: number): string {
  if (status === 499) return 'You hung up before the answer was there.'
  return status < 500
    ? 'The request was refused by the protocol that it used; the answer said why.'
    : 'The service failed. Repeat the call; if it stays, tell your contact the request id.'
}
