import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { SiteName } from './names.tsx'

/** An order as the partner sent it, what came of it, and what would let it in. */
export function SubmissionDetail({ submissionId }: { submissionId: string }) {
  const submission = useQuery(
    read(useEnvironment(), 'readSubmission', { path: { submissionId } }, { live: ['submission', 'order'] }),
  )
  return (
    <Loaded query={submission}>
      {(told) => (
        <>
          <Facts
            facts={[
              ['Status', <Status key="status" value={told.status} />],
              [
                'Partner',
                <At key="partner" to={`/partners/${told.partnerId}`}>
                  {told.partnerName}
                </At>,
              ],
              ['Their number', told.partnerOrderId],
              [
                'Order',
                told.orderNumber && (
                  <At key="order" to={`/orders/${told.orderNumber}`}>
                    {told.orderNumber}
                  </At>
                ),
              ],
              ['Site', <SiteName key="site" siteId={told.siteId} />],
              ['Sent', <When key="sent" at={told.createdOn} siteId={told.siteId} />],
              [
                'Request',
                told.requestId && (
                  <At key="request" to={`/support/requests/${told.requestId}`}>
                    Open the request
                  </At>
                ),
              ],
            ]}
          />
          {told.rejectedFor.length > 0 && (
            <Section title="Rejected for">
              {told.rejectedFor.map(({ reason, detail, field, remedies }, at) => (
                <div key={at}>
                  <strong>{reason ? inWords(reason) : 'Rejected'}</strong>
                  {field && (
                    <>
                      {' '}
                      at <Code>{field}</Code>
                    </>
                  )}
                  <div>{detail}</div>
                  <ul>
                    {remedies.map(({ by, says, path }) => (
                      <li key={says}>
                        {by === 'PARTNER' ? 'The partner: ' : 'Here: '}
                        {says} {placeOf(path) && <At to={placeOf(path)!}>Go there</At>}
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
            </Section>
          )}
          <Section title="As it was sent">
            <Json value={told.body} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** The page on which an operation of the API is done. */
function placeOf(path: string | null): string | undefined {
  const [, kind, id] =
    /^\/staff\/v1\/\w+\/(products|sites|partners|users|fulfilment-centers|segments|orders)\/([\w-]+)/.exec(
      path ?? '',
    ) ?? []
  if (kind === undefined) return undefined
  const places: Readonly<Record<string, string>> = {
    products: `/catalog/${id}`,
    sites: `/sites/${id}`,
    partners: `/partners/${id}`,
    users: `/customers/${id}`,
    'fulfilment-centers': `/fulfilment-centers/${id}`,
    segments: `/customers/segments/${id}`,
    orders: `/orders/${id}`,
  }
  return places[kind]
}

export function Json({ value }: { value: unknown }) {
  return (
    <Code block tabIndex={0}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </Code>
  )
}
