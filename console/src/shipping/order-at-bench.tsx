import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, type AnswerOf, type Environment } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { townLine } from '../kit/address.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { WrongScan } from '../production/scan.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite, useSiteFilter } from '../shell/sites.ts'
import { isRefusal } from '../api/problems.ts'
import classes from './order-at-bench.module.css'
import { ShipForm } from './ship-form.tsx'
import { PapersAgain } from './papers-again.tsx'
import type { Shipped } from './shipped-news.tsx'

export type Order = AnswerOf<'readOrder'>
export type Shipment = Order['shipments'][number]

/** What belongs in the box. Nothing ships that is not packed. */
export type BoxItem = { lineNumber: number; isPacked: boolean }

type Given = {
  orderNumber: number
  /** numbers of the lines that are in the box */
  ticked: ReadonlySet<number>
  onTick: (ticked: ReadonlySet<number>) => void
  onBox: (items: readonly BoxItem[] | undefined) => void
  onLeave: () => void
  onShipped: (shipped: Shipped) => void
}

export function OrderAtBench(given: Given) {
  const environment = useEnvironment()
  const { orderNumber, onLeave } = given
  const query = useQuery(
    read(environment, 'readOrder', { path: { orderNumber } }, { live: ['order', 'line', 'shipment'] }),
  )
  return (
    <PageBody>
      <div>
        <Button variant="default" onClick={onLeave} className="no-print">
          Back to the queue
        </Button>
      </div>
      {isRefusal(query.error, 'order_not_found') ? (
        <WrongScan>{`There is no order ${orderNumber}.`}</WrongScan>
      ) : (
        <Loaded query={query}>{(order) => <Packed order={order} {...given} />}</Loaded>
      )}
    </PageBody>
  )
}

function Packed({ order, ...given }: { order: Order } & Given) {
  const [state, set] = useUrlState()
  const siteFilter = useSiteFilter()
  const site = useSite(order.siteId)
  const shipment = shipmentOf(order, Number(state.shipment), Number(state.line))
  const open = order.shipments.filter(({ status }) => status === 'OPEN')
  return (
    <Stack gap="sm" mt="sm">
      {siteFilter !== undefined && siteFilter !== order.siteId && (
        <Alert color="yellow" role="alert" p="xs">
          {`This order is of another site, ${site?.name ?? order.siteId}.`}
        </Alert>
      )}
      {whyNot(order) !== undefined && (
        <Alert color="yellow" role="alert" p="xs">
          {whyNot(order)}
        </Alert>
      )}
      {open.length > 1 && (
        <Group gap="xs">
          <Text size="sm">This order has {open.length} open shipments:</Text>
          {open.map(({ shipmentNumber }) => (
            <Button
              key={shipmentNumber}
              variant={shipmentNumber === shipment?.shipmentNumber ? 'light' : 'default'}
              aria-pressed={shipmentNumber === shipment?.shipmentNumber}
              onClick={() => {
                given.onTick(new Set())
                set({ shipment: String(shipmentNumber), line: undefined }, true)
              }}
            >
              {shipmentNumber}
            </Button>
          ))}
        </Group>
      )}
      {shipment === undefined ? (
        <WrongScan>
          {state.line
            ? `Line ${order.orderNumber}-${state.line} is in no shipment.`
            : `Order ${order.orderNumber} has no shipment.`}
        </WrongScan>
      ) : (
        <Box key={shipment.shipmentNumber} order={order} shipment={shipment} {...given} />
      )}
    </Stack>
  )
}

/** The shipment asked for, else that of the scanned line, and of several the one that is still open. */
function shipmentOf(order: Order, shipmentNumber: number, lineNumber: number): Shipment | undefined {
  const byNumber = order.shipments.find((each) => each.shipmentNumber === shipmentNumber)
  if (byNumber) return byNumber
  const ofLine = order.shipments.filter(({ items }) => items.some((item) => item.lineNumber === lineNumber))
  // The ticket of a line that is in no shipment must not lead to the box of another line.
  const among = lineNumber > 0 ? ofLine : order.shipments
  return among.find(({ status }) => status === 'OPEN') ?? among.at(-1)
}

function whyNot({ orderNumber, status, decisions }: Order): string | undefined {
  if (status === 'PENDING_APPROVAL') return `Order ${orderNumber} waits for approval, so nothing of it ships.`
  if (status === 'CANCELLED') return `Order ${orderNumber} is cancelled.`
  if (status !== 'ON_HOLD') return undefined
  const hold = decisions.findLast(({ kind }) => kind === 'hold')
  const why = [hold?.reason?.label, hold?.comment].filter(Boolean).join(': ')
  return `Order ${orderNumber} is on hold${why && ` (${why})`}, so nothing of it ships.`
}

function Box({ order, shipment, ticked, onTick, onBox, onShipped }: { order: Order; shipment: Shipment } & Given) {
  const environment = useEnvironment()
  const may = useMay()
  const { status, shipTo, shipmentNumber, items } = shipment
  const isOpen = status === 'OPEN'
  const packed = items.filter(({ lineNumber }) => isPacked(order, lineNumber)).map(({ lineNumber }) => lineNumber)
  const inBox = JSON.stringify(
    items.map(({ lineNumber }): BoxItem => ({ lineNumber, isPacked: packed.includes(lineNumber) })),
  )
  useEffect(() => {
    onBox(isOpen ? (JSON.parse(inBox) as BoxItem[]) : undefined)
    return () => onBox(undefined)
  }, [inBox, isOpen, onBox])
  const leaving = new Set(packed.filter((lineNumber) => ticked.has(lineNumber)))
  const { data: pictures } = useQuery({
    queryKey: [environment, 'listLines', 'pictures', order.orderNumber] as const,
    queryFn: () => picturesOf(environment, order.orderNumber),
  })
  const tick = (lineNumber: number) => {
    const next = new Set(ticked)
    if (!next.delete(lineNumber)) next.add(lineNumber)
    onTick(next)
  }
  const before = order.shipments.filter(
    (each) => each.status === 'SHIPPED' && each.shipmentNumber !== shipmentNumber,
  ).length
  return (
    <>
      <Group gap="sm">
        <Text fw={600}>Shipment {shipmentNumber}</Text>
        <Status value={status} />
        <At to={`/orders/${order.orderNumber}`}>Order {order.orderNumber}</At>
      </Group>
      {isOpen && before > 0 && (
        <Alert color="blue" p="xs">
          {`A part of this order has shipped already, in ${before === 1 ? 'one shipment' : `${before} shipments`}. This is the rest.`}
        </Alert>
      )}
      {!isOpen && (
        <Alert color="yellow" role="alert" p="xs">
          {status === 'SHIPPED'
            ? `Shipment ${shipmentNumber} has already shipped.`
            : status === 'CANCELLED'
              ? `Shipment ${shipmentNumber} is cancelled.`
              : `The status of shipment ${shipmentNumber} is not known.`}
        </Alert>
      )}
      <div className={classes.two}>
        <Section title="In the box">
          <ul className={classes.items}>
            {items.map(({ lineNumber, quantity }) => {
              const line = order.lines.find((each) => each.lineNumber === lineNumber)!
              const picture = pictures?.get(lineNumber)
              const name = `${order.orderNumber}-${lineNumber}`
              return (
                <li key={lineNumber} className={classes.item}>
                  {isOpen && (
                    <Checkbox
                      size="lg"
                      aria-label={`${name} is in the box`}
                      checked={leaving.has(lineNumber)}
                      disabled={!packed.includes(lineNumber)}
                      onChange={() => tick(lineNumber)}
                    />
                  )}
                  {picture && <img src={picture} alt="" className={classes.picture} />}
                  <div className={classes.what}>
                    <b className="numbers">{quantity}</b> × {line.productName}
                    <div className={classes.soft}>
                      {name}
                      {line.jobName !== null && ` · ${line.jobName}`}
                    </div>
                    {!packed.includes(lineNumber) && (
                      <div className={classes.warn}>
                        {line.productionStatus === null ? 'Not started' : inWords(line.productionStatus)}: not packed
                        yet
                      </div>
                    )}
                    {line.problem !== null && <div className={classes.bad}>Problem: {line.problem}</div>}
                    {line.note !== null && <div>Note: {line.note}</div>}
                  </div>
                </li>
              )
            })}
          </ul>
          {isOpen && items.length > 1 && (
            <Button variant="default" disabled={packed.length === 0} onClick={() => onTick(new Set(packed))}>
              {packed.length === items.length ? 'Tick all' : 'Tick all that is packed'}
            </Button>
          )}
        </Section>
        <div>
          <Section title="Goes to">
            <Facts
              facts={[
                ['Address', shipTo && linesOf(shipTo, order).map((line) => <div key={line}>{line}</div>)],
                ['Service', shipment.serviceName],
                ['Notes', shipment.shippingNotes],
              ]}
            />
          </Section>
          {isOpen && may('ship') && (
            <ShipForm
              key={shipmentNumber}
              orderNumber={order.orderNumber}
              shipment={shipment}
              ticked={leaving}
              onShipped={onShipped}
            />
          )}
          {status === 'SHIPPED' && (
            <Section title="Papers">
              <PapersAgain orderNumber={order.orderNumber} shipmentNumber={shipmentNumber} />
            </Section>
          )}
        </div>
      </div>
    </>
  )
}

function isPacked(order: Order, lineNumber: number): boolean {
  const { productionStatus } = order.lines.find((each) => each.lineNumber === lineNumber)!
  return productionStatus === 'PACKING' || productionStatus === 'COMPLETE'
}

function linesOf(place: NonNullable<Shipment['shipTo']>, { shipTo }: Order): string[] {
  const { address1, address2, country } = place
  return [shipTo?.name, shipTo?.company, address1, address2, townLine(place), country].filter((part): part is string =>
    Boolean(part),
  )
}

/** The pictures of an order's lines, by line number. */
async function picturesOf(environment: Environment, orderNumber: number): Promise<ReadonlyMap<number, string>> {
  const { lines } = await call('listLines', environment, { query: { orderNumber, open: false, limit: 200 } })
  return new Map(lines.flatMap(({ lineNumber, preview }) => (preview === null ? [] : [[lineNumber, preview]])))
}
