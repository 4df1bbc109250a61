import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter, useSites } from '../shell/sites.ts'

type Segment = AnswerOf<'listSegments'>['segments'][number]

/** Segments: groups of users who see the same products. */
export function SegmentList() {
  const environment = useEnvironment()
  const sites = useSites()
  const query = { siteId: useSiteFilter() } as QueryOf<'listSegments'>
  const segments = usePages(useInfiniteQuery(list(environment, 'listSegments', { query })), 'segments')
  const columns: readonly Column<Segment>[] = [
    { id: 'name', header: 'Segment', cell: ({ name }) => name },
    {
      id: 'site',
      header: 'Site',
      width: 220,
      cell: ({ siteId }) => sites.find((site) => site.siteId === siteId)?.name ?? siteId,
    },
    {
      id: 'rules',
      header: 'Who is in it',
      hideBelow: 'sm',
      cell: ({ rules }) => (rules.length === 0 ? 'Users by hand' : rules.map(ruleInWords).join('; ')),
    },
    { id: 'updated', header: 'Changed', width: 130, hideBelow: 'md', cell: ({ updatedOn }) => <When at={updatedOn} /> },
  ]
  return (
    <DataTable
      label="Segments"
      query={segments}
      columns={columns}
      rowKey={({ segmentId }) => String(segmentId)}
      linkOf={({ segmentId }) => `/customers/segments/${segmentId}`}
      empty={<Empty title="No segments">A segment limits products to some users. Begin with "New segment".</Empty>}
    />
  )
}

/** "e-mail at franchise.example", "division 5002". */
export function ruleInWords({
  emailDomain,
  divisionId,
}: {
  emailDomain: string | null
  divisionId: number | null
}): string {
  return emailDomain === null ? `division ${divisionId}` : `e-mail at ${emailDomain}`
}
