import { Stack } from '@mantine/core'
import type { AnswerOf } from '../api/api.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { When } from '../kit/when.tsx'
import { SiteName } from '../support/names.tsx'

export type AuditRecord = AnswerOf<'listAuditRecords'>['records'][number]

/** A change, with what was changed. */
export function RecordDetail({ record }: { record: AuditRecord }) {
  const details = Object.entries(record.detail as Record<string, unknown>)
  return (
    <Stack gap="md">
      <Facts
        facts={[
          ['Recorded', <When key="on" at={record.recordedOn} siteId={record.siteId} />],
          ['By', `${record.actor.kind.toLowerCase()} ${record.actor.id}`],
          ['Subject', <Subject key="subject" record={record} />],
          ['Site', <SiteName key="site" siteId={record.siteId} />],
          [
            'Request',
            record.requestId && (
              <At key="request" to={`/support/requests/${record.requestId}`}>
                {record.requestId}
              </At>
            ),
          ],
          ['Number in the seal', record.chainNumber ?? 'not sealed yet'],
        ]}
      />
      {details.length > 0 && (
        <Facts facts={details.map(([name, value]) => [name, <Told key={name} value={value} />])} />
      )}
    </Stack>
  )
}

/** What a detail says: a change as before → after, a list by commas, else the value. */
function Told({ value }: { value: unknown }) {
  if (isChange(value)) {
    return (
      <>
        <del>{textOf(value.from)}</del> → <ins>{textOf(value.to)}</ins>
      </>
    )
  }
  return textOf(value)
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const places: Readonly<Record<string, (id: string) => string>> = {
  order: (id) => `/orders/${id}`,
  partner: (id) => `/partners/${id}`,
  product: (id) => `/catalog/${id}`,
  user: (id) => `/customers/${id}`,
  division: (id) => `/customers/divisions/${id}`,
  segment: (id) => `/customers/segments/${id}`,
  credit_account: (id) => `/customers/credit/${id}`,
  site: (id) => `/sites/${id}`,
  fulfilment_center: (id) => `/fulfilment-centers/${id}`,
}

export function Subject({ record: { subject } }: { record: AuditRecord }) {
  const place = places[subject.kind]?.(subject.id)
  const text = `${subject.kind.replaceAll('_', ' ')} ${subject.id}`
  return place ? <At to={place}>{text}</At> : text
}
