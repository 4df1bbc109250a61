import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterChoice, queryFrom, useUrlState } from '../kit/filters.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { endpointState } from './webhooks.tsx'

type Endpoint = AnswerOf<'listEndpoints'>['endpoints'][number]
type Ending = AnswerOf<'listAllCertificates'>['certificates'][number]

const endpointColumns: readonly Column<Endpoint>[] = [
  { id: 'url', header: 'Endpoint', cell: ({ url }) => url },
  { id: 'partner', header: 'Partner', width: 220, cell: ({ partnerName }) => partnerName },
  {
    id: 'state',
    header: 'State',
    width: 110,
    cell: (endpoint) => <Status value={endpointState(endpoint)} />,
  },
  { id: 'types', header: 'Types', width: 70, align: 'end', hideBelow: 'md', cell: ({ types }) => types.length },
]

/** The receivers of all partners; `failing` = only those that fail. */
export function EndpointList() {
  const environment = useEnvironment()
  const [state] = useUrlState()
  const query = queryFrom(state, ['failing']) as QueryOf<'listEndpoints'>
  const endpoints = usePages(useInfiniteQuery(list(environment, 'listEndpoints', { query })), 'endpoints')
  return (
    <>
      <FilterBar>
        <FilterChoice
          name="failing"
          label="Failing or not"
          data={[
            { value: 'true', label: 'Failing' },
            { value: 'false', label: 'Not failing' },
          ]}
        />
      </FilterBar>
      <DataTable
        label="Endpoints"
        query={endpoints}
        columns={endpointColumns}
        rowKey={({ endpointId }) => endpointId}
        linkOf={({ partnerId, endpointId }) => `/partners/${partnerId}?tab=webhooks&endpoint=${endpointId}`}
        empty={<Empty title="No endpoint matches">Endpoints are registered on the page of a partner.</Empty>}
      />
    </>
  )
}

const certificateColumns: readonly Column<Ending>[] = [
  { id: 'subject', header: 'Certificate', cell: ({ subjectDn }) => subjectDn },
  { id: 'partner', header: 'Partner', width: 220, cell: ({ partnerName }) => partnerName },
  { id: 'expires', header: 'Expires', width: 140, cell: ({ expiresOn }) => <When at={expiresOn} short /> },
]

/** The certificates of all partners; `ending` = only those that end soon. */
export function CertificateList() {
  const environment = useEnvironment()
  const [state] = useUrlState()
  const query = queryFrom(state, ['ending']) as QueryOf<'listAllCertificates'>
  const certificates = usePages(useInfiniteQuery(list(environment, 'listAllCertificates', { query })), 'certificates')
  return (
    <>
      <FilterBar>
        <FilterChoice
          name="ending"
          label="Ending or not"
          data={[
            { value: 'true', label: 'Ending soon' },
            { value: 'false', label: 'Not ending soon' },
          ]}
        />
      </FilterBar>
      <DataTable
        label="Certificates"
        query={certificates}
        columns={certificateColumns}
        rowKey={({ certificateId }) => certificateId}
        linkOf={({ partnerId }) => `/partners/${partnerId}?tab=credentials`}
        empty={<Empty title="No certificate matches">Certificates are registered on the page of a partner.</Empty>}
      />
    </>
  )
}
