import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, queryFrom, useUrlState } from '../kit/filters.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Status } from '../kit/status.tsx'
import { Due } from '../production/due.tsx'
import { PlantFilter } from '../production/plant-filter.tsx'
import { ScanField, WrongScan, type Scanned } from '../production/scan.tsx'
import { nameOf, type Line } from '../production/stations.ts'
import { useEnvironment } from '../shell/environment.ts'
import { PartnerFilter } from '../shell/record-filters.tsx'
import { useSiteFilter } from '../shell/sites.ts'
import { OrderAtBench, type BoxItem } from './order-at-bench.tsx'
import { ShippedNews, type Shipped } from './shipped-news.tsx'

const columns: readonly Column<Line>[] = [
  { id: 'line', header: 'Line', width: 120, cell: nameOf },
  { id: 'due', header: 'Due', width: 170, cell: (line) => <Due line={line} isNamed /> },
  { id: 'product', header: 'Product', cell: (line) => `${line.quantity} × ${line.productName}` },
  { id: 'partner', header: 'Partner', hideBelow: 'sm', cell: (line) => line.partnerName ?? 'No partner' },
  { id: 'priority', header: 'Priority', width: 110, hideBelow: 'md', cell: (line) => <Status value={line.priority} /> },
  { id: 'shipment', header: 'Shipment', width: 110, hideBelow: 'md', cell: (line) => line.shipmentNumber },
]

/** Ships what is packed: scan, see what goes in, weigh, print, and scan the next. */
export function Bench() {
  const [state, set] = useUrlState()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [fault, setFault] = useState<string>()
  const [shipped, setShipped] = useState<Shipped>()
  const [inBox, setInBox] = useState<readonly BoxItem[]>()
  const orderNumber = Number(state.order) || undefined

  const leave = () => {
    setTicked(new Set())
    setFault(undefined)
    set({ order: undefined, line: undefined, shipment: undefined }, true)
  }
  const scan = (scanned: Scanned) => {
    setFault(undefined)
    if (
      orderNumber !== undefined &&
      inBox !== undefined &&
      scanned.orderNumber === orderNumber &&
      scanned.lineNumber !== undefined
    ) {
      const { lineNumber } = scanned
      const item = inBox.find((each) => each.lineNumber === lineNumber)
      if (!item) setFault(`Line ${orderNumber}-${lineNumber} is not in this shipment.`)
      else if (!item.isPacked) setFault(`Line ${orderNumber}-${lineNumber} is not packed yet.`)
      else setTicked((before) => new Set(before).add(lineNumber))
      return
    }
    // A box that is half packed is not put aside by a ticket of another order.
    if (ticked.size > 0) {
      setFault(`Order ${scanned.orderNumber} is not the one in the box. Ship this one, or go back to the queue.`)
      return
    }
    setShipped(undefined)
    set({ order: String(scanned.orderNumber), line: scanned.lineNumber?.toString(), shipment: undefined }, true)
    setTicked(new Set(scanned.lineNumber === undefined ? [] : [scanned.lineNumber]))
  }
  return (
    <>
      <PageHead title={orderNumber === undefined ? 'Shipping' : `Ship order ${orderNumber}`} />
      <FilterBar>
        <ScanField label="Scan a job ticket or an order" onScan={scan} />
        {orderNumber === undefined && (
          <>
            <PlantFilter />
            <PartnerFilter />
          </>
        )}
      </FilterBar>
      {fault !== undefined && (
        <PageBody>
          <WrongScan>{fault}</WrongScan>
        </PageBody>
      )}
      {shipped && orderNumber === undefined && <ShippedNews key={shipped.shipmentNumber} shipped={shipped} />}
      {orderNumber === undefined ? (
        <Queue />
      ) : (
        <OrderAtBench
          key={orderNumber}
          orderNumber={orderNumber}
          ticked={ticked}
          onTick={setTicked}
          onBox={setInBox}
          onLeave={leave}
          onShipped={(done) => {
            setShipped(done)
            leave()
          }}
        />
      )}
    </>
  )
}

/** What is packed or complete, has not shipped and may be worked on, due first: as many as Today counts. */
function Queue() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state] = useUrlState()
  const query = {
    ...queryFrom(state, ['fulfilmentCenterId', 'partnerId', 'due', 'assignee', 'priority']),
    productionStatus: ['PACKING', 'COMPLETE'],
    workable: true,
    siteId,
  } as QueryOf<'listLines'>
  const lines = usePages(
    useInfiniteQuery(list(environment, 'listLines', { query }, { live: ['line', 'order', 'shipment'] })),
    'lines',
  )
  return (
    <DataTable
      label="Lines ready to ship"
      query={lines}
      columns={columns}
      rowKey={nameOf}
      linkOf={({ orderNumber, lineNumber }) => `/shipping?order=${orderNumber}&line=${lineNumber}`}
      empty={
        <Empty title="Nothing waits to be shipped">
          Lines come here once they reach packing, and stay until they ship. Take a filter away, or look in all sites.
        </Empty>
      }
    />
  )
}
