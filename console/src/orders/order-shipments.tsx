import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { read, useChange } from '../api/queries.ts'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { Money } from '../kit/money.tsx'
import { hasPieces, numberTyped } from '../kit/number.ts'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { asking, Verbs, verb } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { Address } from './address.tsx'
import { printing } from './documents.tsx'
import classes from './order.module.css'
import { nameOfLine, type Order, type Shipment } from './order.ts'
import { SubmitRow } from './submit-row.tsx'

export function OrderShipments({ order }: { order: Order }) {
  if (order.shipments.length === 0) return <Empty title="Nothing of this order ships" />
  return order.shipments.map((shipment) => (
    <OneShipment key={shipment.shipmentNumber} order={order} shipment={shipment} />
  ))
}

function OneShipment({ order, shipment }: { order: Order; shipment: Shipment }) {
  const { shipmentNumber, status } = shipment
  const path = { orderNumber: order.orderNumber, shipmentNumber }
  const isOpen = status === 'OPEN'
  return (
    <Section
      title={`Shipment ${shipmentNumber}`}
      actions={
        <Verbs
          first={2}
          label={`More for shipment ${shipmentNumber}`}
          verbs={[
            asking('ship', 'Ship…', (close) => <Ship order={order} shipment={shipment} close={close} />, {
              hidden: !isOpen,
            }),
            printing('drawPackingSlip', 'Print packing slip', path),
            printing('drawLabels', 'Print labels', path),
            asking(
              'buyLabel',
              'Buy a label…',
              (close) => <BuyLabel order={order} shipment={shipment} close={close} />,
              { hidden: !isOpen },
            ),
            asking(
              'changeDelivery',
              'Change the delivery…',
              (close) => <ChangeDelivery order={order} shipment={shipment} close={close} />,
              { hidden: !isOpen },
            ),
            verb(
              'cancelShipment',
              `Cancel shipment ${shipmentNumber}`,
              { path },
              { hidden: status !== 'SHIPPED', danger: true },
            ),
          ]}
        />
      }
    >
      <Facts
        facts={[
          ['Status', <Status key="status" value={status} />],
          [
            'Goods',
            shipment.items.map(({ lineNumber, quantity }) => `${quantity} of line ${lineNumber}`).join(', ') ||
              'nothing',
          ],
          ['Service', shipment.serviceName ?? 'none'],
          ['To', <Address key="to" place={shipment.shipTo} />],
          ...(shipment.shippingNotes ? ([['Notes', shipment.shippingNotes]] as const) : []),
          ['Price', <Money key="price" amount={shipment.shippingTotal} currency={order.currency} />],
          shipment.shippedOn
            ? ['Shipped', <When key="shipped" at={shipment.shippedOn} />]
            : ['Estimated to ship by', <When key="by" at={shipment.estimatedShipBy} short />],
          [
            'Estimated to arrive',
            <span key="arrive">
              <When at={shipment.estimatedDeliveryFrom} short /> – <When at={shipment.estimatedDeliveryTo} short />
            </span>,
          ],
          ...shipment.packages.map(
            (parcel) =>
              [
                `Package ${parcel.packageNumber}`,
                <span key={parcel.packageNumber}>
                  {parcel.trackingUrl ? (
                    <a href={parcel.trackingUrl} target="_blank" rel="noreferrer">
                      {parcel.trackingNumber}
                    </a>
                  ) : (
                    (parcel.trackingNumber ?? 'no tracking number')
                  )}
                  {parcel.weightOunces && ` · ${parcel.weightOunces} oz`}
                </span>,
              ] as const,
          ),
        ]}
      />
      <Labels order={order} shipment={shipment} />
    </Section>
  )
}

function Labels({ order, shipment }: { order: Order; shipment: Shipment }) {
  const environment = useEnvironment()
  const path = { orderNumber: order.orderNumber, shipmentNumber: shipment.shipmentNumber }
  const { data } = useQuery(read(environment, 'listLabels', { path }, { live: ['shipment'] }))
  if (!data || data.labels.length === 0) return null
  return (
    <ul className={classes.notes} aria-label="Labels">
      {data.labels.map((label) => (
        <li key={label.labelId}>
          Label of package {label.packageNumber}: <Status value={label.status} /> {label.carrierService}{' '}
          {label.trackingNumber}{' '}
          {label.refusal && (
            <Text span c="var(--bad)">
              {label.refusal}
            </Text>
          )}
          {label.status === 'BOUGHT' && (
            <Verbs
              first={2}
              verbs={[
                printing('downloadLabel', 'Print this label', { ...path, labelId: label.labelId }),
                verb('giveLabelBack', 'Give the label back', { path: { ...path, labelId: label.labelId } }),
              ]}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

type Asked = { order: Order; shipment: Shipment; close: () => void }

const pathOf = ({ order, shipment }: Asked) => ({
  orderNumber: order.orderNumber,
  shipmentNumber: shipment.shipmentNumber,
})

/** Ships all of it, or the pieces that are written down; the rest moves to a new shipment. */
function Ship(asked: Asked) {
  const { order, shipment, close } = asked
  const [pieces, setPieces] = useState(() => shipment.items.map(({ quantity }) => String(quantity)))
  const form = useForm('ship', {
    initial: { trackingNumber: '', weightOunces: '' },
    input: ({ trackingNumber, weightOunces }) => {
      const isPart = shipment.items.some(({ quantity }, at) => pieces[at] !== String(quantity))
      const items = shipment.items.flatMap(({ lineNumber }, at) =>
        hasPieces(pieces[at]!) ? [{ lineNumber, quantity: numberTyped(pieces[at]!) }] : [],
      )
      return {
        path: pathOf(asked),
        body: {
          ...(isPart && { items }),
          packages: [{ trackingNumber: trackingNumber.trim() || null, weightOunces: weightOunces.trim() || null }],
        },
      }
    },
    onDone: close,
  })
  const lineOf = (lineNumber: number) => order.lines.find((line) => line.lineNumber === lineNumber)
  return (
    <Form form={form} submit={`Ship shipment ${shipment.shipmentNumber}`} onCancel={close}>
      {shipment.items.map(({ lineNumber, quantity }, at) => {
        const line = lineOf(lineNumber)
        return (
          <TextInput
            key={lineNumber}
            label={`Pieces of ${line ? nameOfLine(line) : `line ${lineNumber}`}`}
            description={`of ${quantity}`}
            inputMode="numeric"
            value={pieces[at]}
            onChange={(event) => setPieces(pieces.with(at, event.currentTarget.value))}
          />
        )
      })}
      <TextField form={form} name="trackingNumber" label="Tracking number" path="packages[0].trackingNumber" />
      <TextField
        form={form}
        name="weightOunces"
        label="Weight, ounces"
        path="packages[0].weightOunces"
        inputMode="decimal"
      />
    </Form>
  )
}

function BuyLabel(asked: Asked) {
  const form = useForm('buyLabel', {
    initial: { weightOunces: '' },
    input: ({ weightOunces }) => ({ path: pathOf(asked), body: weightOunces ? { weightOunces } : {} }),
    onDone: asked.close,
  })
  return (
    <Form form={form} submit="Buy the label" onCancel={asked.close}>
      <TextField
        form={form}
        name="weightOunces"
        label="Weight, ounces"
        inputMode="decimal"
        description="Left empty: the weight of the goods."
      />
    </Form>
  )
}

type Preview = AnswerOf<'previewDelivery'>

/** Another address or service: first what it would cost, then the change. */
function ChangeDelivery(asked: Asked) {
  const { order, shipment, close } = asked
  const environment = useEnvironment()
  const services = useQuery(read(environment, 'listShippingServices', { path: { siteId: order.siteId } }))
  const [preview, setPreview] = useState<Preview>()
  const to = shipment.shipTo
  const initial = {
    name: to?.name ?? '',
    company: to?.company ?? '',
    address1: to?.address1 ?? '',
    address2: to?.address2 ?? '',
    city: to?.city ?? '',
    state: to?.state ?? '',
    postalCode: to?.postalCode ?? '',
    country: to?.country ?? '',
    phone: to?.phone ?? '',
    service: shipment.shippingServiceId === null ? '' : String(shipment.shippingServiceId),
    charge: true,
  }
  const form = useForm('previewDelivery', {
    initial,
    input: (values) => ({ path: pathOf(asked), body: wanted(values, initial) }),
    onDone: setPreview,
  })
  const change = useChange('changeDelivery', { onDone: close })
  if (preview) {
    const { before, after, difference } = preview
    return (
      <Stack gap="sm">
        <Facts
          facts={[
            ['To', <Address key="to" place={preview.shipTo} />],
            ['By', preview.service.serviceName],
            ['Total now', <Money key="before" amount={before?.totalPrice} currency={preview.currency} />],
            ['Total then', <Money key="after" amount={after?.totalPrice} currency={preview.currency} />],
            ['Difference', <Money key="difference" amount={difference?.totalPrice} currency={preview.currency} />],
            ['Charged or given back', <Money key="settled" amount={preview.settled} currency={preview.currency} />],
            ['Ships by', <When key="by" at={preview.estimatedShipBy} short />],
          ]}
        />
        <Checkbox
          label="Charge the difference"
          checked={form.values.charge}
          onChange={(event) => form.set('charge', event.currentTarget.checked)}
        />
        <SubmitRow
          label="Change the delivery"
          error={change.error}
          isPending={change.isPending}
          onSubmit={() =>
            change.mutate({
              path: pathOf(asked),
              body: {
                ...wanted(form.values, initial),
                totalPrice: after?.totalPrice ?? null,
                charge: form.values.charge,
              },
            })
          }
          onCancel={() => setPreview(undefined)}
        />
      </Stack>
    )
  }
  return (
    <Form form={form} submit="Show what it would cost" onCancel={close}>
      <ChoiceField
        form={form}
        name="service"
        label="Service"
        path="shippingServiceId"
        data={(services.data?.services ?? []).map(({ shippingServiceId, serviceName }) => ({
          value: String(shippingServiceId),
          label: serviceName,
        }))}
      />
      <TextField form={form} name="name" label="Name" path="shipTo.name" />
      <TextField form={form} name="company" label="Company" path="shipTo.company" />
      <TextField form={form} name="address1" label="Address" path="shipTo.address1" />
      <TextField form={form} name="address2" label="Address, second line" path="shipTo.address2" />
      <TextField form={form} name="city" label="City" path="shipTo.city" />
      <TextField form={form} name="state" label="State" path="shipTo.state" />
      <TextField form={form} name="postalCode" label="Postal code" path="shipTo.postalCode" />
      <TextField form={form} name="country" label="Country, two letters" path="shipTo.country" />
      <TextField form={form} name="phone" label="Telephone" path="shipTo.phone" />
      <FlagField form={form} name="charge" label="Charge the difference" />
    </Form>
  )
}

type Wanted = {
  [
    Name in
      | 'name'
      | 'company'
      | 'address1'
      | 'address2'
      | 'city'
      | 'state'
      | 'postalCode'
      | 'country'
      | 'phone'
      | 'service'
  ]: string
}

function wanted(values: Wanted & { charge: boolean }, initial: Wanted) {
  const { service, charge: _charge, ...given } = values
  const isElsewhere = (Object.keys(given) as (keyof typeof given)[]).some((name) => given[name] !== initial[name])
  const { company, address2, phone, ...needed } = given
  return {
    ...(isElsewhere && {
      shipTo: { ...needed, ...(company && { company }), ...(address2 && { address2 }), ...(phone && { phone }) },
    }),
    ...(service !== initial.service && { shippingServiceId: Number(service) }),
  }
}
