import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { QueryOf } from '../../api/api.ts'
import { list } from '../../api/queries.ts'
import { RecordDetail, type AuditRecord } from '../../audit/record-detail.tsx'
import { Seal } from '../../audit/seal.tsx'
import { usePlace } from '../../kit/at.tsx'
import { Beside } from '../../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, FilterChoice, FilterDay, FilterText, queryFrom, useUrlState } from '../../kit/filters.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { inWords } from '../../kit/status.tsx'
import { When } from '../../kit/when.tsx'
import { useEnvironment } from '../../shell/environment.ts'
import { useSiteFilter } from '../../shell/sites.ts'
import { SiteName } from '../../support/names.tsx'

export const Route = createFileRoute('/$environment/audit')({ component: AuditPage })

const columns: readonly Column<AuditRecord>[] = [
  {
    id: 'on',
    header: 'Recorded',
    width: 150,
    cell: ({ recordedOn, siteId }) => <When at={recordedOn} siteId={siteId} />,
  },
  { id: 'action', header: 'Action', cell: ({ action }) => inWords(action.replaceAll('.', ': ')) },
  { id: 'subject', header: 'Subject', cell: ({ subject }) => `${subject.kind.replaceAll('_', ' ')} ${subject.id}` },
  { id: 'who', header: 'By', hideBelow: 'sm', cell: ({ actor }) => `${actor.kind.toLowerCase()} ${actor.id}` },
  { id: 'site', header: 'Site', width: 170, hideBelow: 'md', cell: ({ siteId }) => <SiteName siteId={siteId} /> },
]

const filters = ['actorKind', 'actorId', 'action', 'subjectKind', 'subjectId', 'requestId']

function AuditPage() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state, set] = useUrlState()
  const days = { since: dayStart(state.since), until: dayStart(state.until) }
  const words = { action: codeOf(state.action), subjectKind: codeOf(state.subjectKind) }
  const query = { ...queryFrom(state, filters), ...words, ...days, siteId } as QueryOf<'listAuditRecords'>
  const records = usePages(useInfiniteQuery(list(environment, 'listAuditRecords', { query })), 'records')
  const chosen = records.rows?.find(({ auditId }) => String(auditId) === state.record)
  const place = usePlace()
  const linkOf = ({ auditId }: AuditRecord) => {
    const search = new URLSearchParams(Object.entries(state).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    search.set('record', String(auditId))
    return `/audit?${search}`
  }
  return (
    <>
      <PageHead title="Audit" about="Every change, by whom and in answer to which request." actions={<Seal />} />
      <FilterBar>
        <FilterChoice
          name="actorKind"
          label="By"
          width={120}
          data={['STAFF', 'PARTNER', 'SYSTEM', 'SIMULATOR'].map((value) => ({ value, label: inWords(value) }))}
        />
        <FilterText name="actorId" label="Who" width={130} />
        <FilterText name="action" label="Action, as in Order: cancelled" width={200} />
        <FilterText name="subjectKind" label="Subject kind" width={120} />
        <FilterText name="subjectId" label="Subject id" width={130} />
        <FilterText name="requestId" label="Request id" width={140} />
        <FilterDay name="since" label="From this day" />
        <FilterDay name="until" label="Before this day" />
      </FilterBar>
      <Beside
        title={chosen && inWords(chosen.action.replaceAll('.', ': '))}
        detail={chosen && <RecordDetail record={chosen} />}
        onClose={() => set({ record: undefined })}
      >
        <DataTable
          key={place('')}
          label="Changes"
          query={records}
          columns={columns}
          rowKey={({ auditId }) => String(auditId)}
          linkOf={linkOf}
          current={state.record}
          empty={<Empty title="No change matches">Take a filter away, or look at a longer time.</Empty>}
        />
      </Beside>
    </>
  )
}

/** The words of the table as the service writes them: `Order line: advanced` → `order_line.advanced`. */
function codeOf(words: string | undefined): string | undefined {
  return words
    ?.toLowerCase()
    .replaceAll(/\s*:\s*/g, '.')
    .replaceAll(' ', '_')
}

/** The day that somebody chose begins where they are. An address may hold what is no day. */
function dayStart(day: string | undefined): string | undefined {
  const start = new Date(`${day}T00:00`)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
