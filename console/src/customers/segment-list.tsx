import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter, useSites } from '../shell/sites.ts'
import { useDivisionName } from './names.tsx'

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
      cell: ({ rules }) =>
        rules.length === 0
          ? 'Users by hand'
          : rules.map((rule, at) => (
              <span key={rule.segmentRuleId}>
                {at > 0 && '; '}
                <RuleInWords rule={rule} />
              </span>
            )),
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

type Rule = Segment['rules'][number]

function RuleInWords({ rule }: { rule: Rule }) {
  return useRuleInWords(rule)
}

/** "e-mail at franchise.example", "division North". */
export function useRuleInWords({ emailDomain, divisionId }: Rule): string {
  const name = useDivisionName(divisionId)
  return emailDomain === null ? `division ${name ?? divisionId}` : `e-mail at ${emailDomain}`
}
