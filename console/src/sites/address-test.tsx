import { Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { Refusal } from '../api/problems.ts'
import { read } from '../api/queries.ts'
import { DataTable, type Column } from '../kit/data-table.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { Money } from '../kit/money.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Site } from './site-view.tsx'
import classes from './sites.module.css'

type Answer = AnswerOf<'testAddress'>
type Service = Answer['services'][number]
type Offer = Answer['carrierOffers'][number]

const fields = [
  ['productId', 'Product', 'SLO_100001'],
  ['variantId', 'Variant', ''],
  ['quantity', 'Quantity', '100'],
  ['country', 'Country', 'US'],
  ['state', 'State', 'CA'],
  ['postalCode', 'Postal code', '94105'],
  ['city', 'City', ''],
  ['address1', 'Street and number', ''],
] as const
const needed: ReadonlySet<string> = new Set(['productId', 'quantity', 'country', 'postalCode'])

/** Which services deliver goods to an address, for how much and when. What was asked is in the URL. */
export function AddressTest({ site }: { site: Site }) {
  const environment = useEnvironment()
  const [state, set] = useUrlState()
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(
      fields.map(([name]) => [name, state[name] ?? (name === 'country' ? site.countryCode : '')] as const),
    ),
  )
  const asked = fields.flatMap(([name]) => (state[name] ? [[name, state[name]] as const] : []))
  const isAsked = state['productId'] !== undefined && state['postalCode'] !== undefined
  // The texts are checked by the service, which says what is wrong with them.
  const query = Object.fromEntries(asked) as unknown as QueryOf<'testAddress'>
  const answer = useQuery({
    ...read(environment, 'testAddress', { path: { siteId: site.siteId }, query }),
    enabled: isAsked,
  })
  const faults = answer.error instanceof Refusal ? answer.error.faults : []
  const ask = (event: FormEvent) => {
    event.preventDefault()
    set(Object.fromEntries(fields.map(([name]) => [name, typed[name]?.trim() || undefined])))
    if (asked.every(([name, value]) => typed[name] === value)) void answer.refetch()
  }
  return (
    <PageBody>
      <Section title="Address test">
        <form onSubmit={ask}>
          <div className={classes.fields}>
            {fields.map(([name, label, placeholder]) => (
              <TextInput
                key={name}
                label={label}
                name={name}
                placeholder={placeholder}
                required={needed.has(name)}
                autoComplete="off"
                value={typed[name] ?? ''}
                error={faults.find(({ path }) => path === name)?.detail}
                onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
              />
            ))}
          </div>
          <Group mt="sm">
            <Button type="submit" loading={answer.isFetching}>
              Test the address
            </Button>
          </Group>
        </form>
      </Section>
      {isAsked && answer.isPending && <Waiting />}
      <Refused error={answer.error} except={fields.map(([name]) => name)} />
      {answer.data && <Answered answer={answer.data} />}
    </PageBody>
  )
}

const serviceColumns: readonly Column<Service>[] = [
  {
    id: 'service',
    header: 'Service',
    cell: ({ serviceName, isDefault }) => `${serviceName}${isDefault ? ' (default)' : ''}`,
  },
  {
    id: 'delivers',
    header: 'Delivers',
    width: 140,
    cell: ({ delivers }) =>
      delivers ? <Status value="ready" label="Delivers" /> : <Status value="MISSING" label="Does not deliver" />,
  },
  {
    id: 'shipping',
    header: 'Delivery',
    align: 'end',
    width: 100,
    cell: ({ shippingTotal, currency }) => <Money amount={shippingTotal} currency={currency} />,
  },
  {
    id: 'tax',
    header: 'Tax',
    align: 'end',
    width: 90,
    hideBelow: 'sm',
    cell: ({ taxTotal, currency }) => <Money amount={taxTotal} currency={currency} />,
  },
  {
    id: 'total',
    header: 'Total',
    align: 'end',
    width: 100,
    hideBelow: 'sm',
    cell: ({ totalPrice, currency }) => <Money amount={totalPrice} currency={currency} />,
  },
  {
    id: 'ships',
    header: 'Leaves by',
    width: 110,
    hideBelow: 'md',
    cell: (row) => <When at={row.estimatedShipBy} short />,
  },
  {
    id: 'arrives',
    header: 'Arrives',
    width: 160,
    hideBelow: 'md',
    cell: ({ estimatedDeliveryFrom, estimatedDeliveryTo }) => (
      <>
        <When at={estimatedDeliveryFrom} short /> – <When at={estimatedDeliveryTo} short />
      </>
    ),
  },
]

const offerColumns: readonly Column<Offer>[] = [
  { id: 'service', header: 'Service of a carrier', cell: ({ carrierService }) => carrierService },
  {
    id: 'price',
    header: 'Price',
    align: 'end',
    width: 110,
    cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
  },
  { id: 'days', header: 'Business days', align: 'end', width: 120, cell: ({ businessDays }) => businessDays ?? '–' },
]

function Answered({ answer: { problems, services, carrierOffers } }: { answer: Answer }) {
  return (
    <>
      {problems.length > 0 && (
        <Section title="Why it cannot be ordered">
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Services of the site">
        <DataTable
          label="Services of the site"
          fit
          rows={services}
          columns={serviceColumns}
          rowKey={({ shippingServiceId }) => String(shippingServiceId)}
          empty={<p>No service was tried.</p>}
        />
      </Section>
      {carrierOffers.length > 0 && (
        <Section title="Offers of carriers">
          <DataTable
            label="Offers of carriers"
            fit
            rows={carrierOffers}
            columns={offerColumns}
            rowKey={({ carrierService }) => carrierService}
            empty={null}
          />
        </Section>
      )}
    </>
  )
}
