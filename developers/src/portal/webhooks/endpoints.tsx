import { At } from '../address.tsx'
import { useList } from '../api/queries.ts'
import { Empty } from '../kit/loaded.tsx'
import { Section } from '../kit/page.tsx'
import { Status } from '../kit/status.tsx'
import { Table } from '../kit/table.tsx'
import { When, zoneName } from '../kit/when.tsx'

/** The endpoints of production, to read: staff change them. */
export function Endpoints() {
  const list = useList('listWebhookEndpoints', 'webhookEndpoints', {})
  return (
    <Section
      title="Endpoints"
      says="Your contact at the platform changes these: tell them the URL and the events that you want. Try yours in the sandbox first, where you change them yourself."
    >
      <Table
        label="Endpoints"
        list={list}
        keyOf={({ endpointId }) => endpointId}
        columns={[
          {
            header: 'URL',
            cell: ({ endpointId, url }) => (
              <At page="webhooks" filters={{ endpointId }} className="long">
                {url}
              </At>
            ),
          },
          { header: 'State', cell: (endpoint) => <EndpointState {...endpoint} /> },
          { header: 'Events', cell: ({ types }) => <Types types={types} /> },
          { header: 'Signed', isMinor: true, cell: ({ signed }) => (signed ? 'Yes' : 'No') },
          {
            header: `Changed (${zoneName()})`,
            isMinor: true,
            cell: ({ updatedOn }) => <When at={updatedOn} />,
          },
        ]}
        empty={<Empty title="There is no endpoint">Nothing is sent anywhere until your contact registers one.</Empty>}
      />
    </Section>
  )
}

export function EndpointState({ enabled, failing = false }: { enabled: boolean; failing?: boolean }) {
  if (!enabled) return <Status value="DISABLED" label="Disabled" />
  return failing ? <Status value="FAILED" label="Failing" /> : <Status value="ACTIVE" label="Good" />
}

export function Types({ types }: { types: readonly string[] }) {
  if (types.length === 0) return <span>All</span>
  return (
    <ul className="plain">
      {types.map((type) => (
        <li key={type}>
          <code>{type}</code>
        </li>
      ))}
    </ul>
  )
}
