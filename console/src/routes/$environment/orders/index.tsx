import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { QueryOf } from '../../../api/api.ts'
import { list } from '../../../api/queries.ts'
import { DataTable, usePages } from '../../../kit/data-table.tsx'
import { startOfDay } from '../../../kit/days.ts'
import { Empty } from '../../../kit/empty.tsx'
import { FilterBar, FilterChoice, FilterDay, queryFrom, useUrlState } from '../../../kit/filters.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { inWords } from '../../../kit/status.tsx'
import { FindOrder } from '../../../orders/find-order.tsx'
import { OrderActions } from '../../../orders/order-actions.tsx'
import { orderColumns, type Order } from '../../../orders/order-columns.tsx'
import { OrderTabs } from '../../../orders/order-tabs.tsx'
import { PartnerFilter } from '../../../shell/record-filters.tsx'
import { useMay } from '../../../api/session.ts'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSite, useSiteFilter } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/orders/')({ component: OrdersPage })

const statuses = [
  'PENDING_APPROVAL',
  'ON_HOLD',
  'IN_PROCESS',
  'IN_PRODUCTION',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'COMPLETED',
  'CANCELLED',
]

function OrdersPage() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const zone = useSite(siteId)?.timeZone
  const may = useMay()
  const [state, set] = useUrlState()
  const { placedFrom, placedTo, userId } = state
  const query = {
    ...queryFrom(state, ['status', 'partnerId', 'userId']),
    placedFrom: placedFrom && instantOf(placedFrom, zone),
    // The last day is meant with all its hours.
    placedTo: placedTo && instantOf(placedTo, zone, 1),
    siteId,
  } as QueryOf<'listOrders'>
  const orders = usePages(useInfiniteQuery(list(environment, 'listOrders', { query }, { live: ['order'] })), 'orders')
  const asked = JSON.stringify(query)
  const [chosen, setChosen] = useState<{ asked: string; keys: ReadonlySet<string> }>({ asked, keys: new Set() })
  // What another filter showed is not selected any more: nobody would see it.
  const selected = chosen.asked === asked ? chosen.keys : none
  const select = (keys: ReadonlySet<string>) => setChosen({ asked, keys })
  // An order that somebody else moved out of the list stays selected, as its row stays under the pointer.
  const seen = useRef(new Map<string, Order>())
  const selectedOrders = useMemo(() => {
    for (const order of orders.rows ?? []) seen.current.set(orderKey(order), order)
    return [...selected].flatMap((key) => seen.current.get(key) ?? [])
  }, [orders.rows, selected])
  return (
    <>
      <PageHead title="Orders" />
      <OrderTabs />
      <FilterBar>
        <FindOrder />
        <FilterChoice name="status" label="Status" data={statuses.map((value) => ({ value, label: inWords(value) }))} />
        <PartnerFilter />
        <FilterDay name="placedFrom" label="Placed from" />
        <FilterDay name="placedTo" label="Placed to" />
        {userId !== undefined && (
          <Button variant="light" onClick={() => set({ userId: undefined })}>{`Only of user ${userId} ×`}</Button>
        )}
      </FilterBar>
      <DataTable
        label="Orders"
        query={orders}
        columns={orderColumns}
        rowKey={orderKey}
        linkOf={({ orderNumber }) => `/orders/${orderNumber}`}
        {...(may('holdOrders') && { selection: { selected, onChange: select } })}
        empty={<Empty title="No orders match">Take a filter away, or look in all sites.</Empty>}
      />
      <OrderActions orders={selectedOrders} onSelect={(numbers) => select(new Set(numbers.map(String)))} />
    </>
  )
}

const none: ReadonlySet<string> = new Set()
const orderKey = ({ orderNumber }: Order) => String(orderNumber)

/** A day, or an instant as the service's own links have it. */
function instantOf(text: string, zone: string | undefined, later = 0): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return startOfDay(text, zone, later)
  return Number.isNaN(Date.parse(text)) ? undefined : text
}
