import { useInfiniteQuery } from '@tanstack/react-query'
import { list } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { DataTable, usePages } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Section } from '../kit/section.tsx'
import { orderColumns } from '../orders/order-columns.tsx'
import { useEnvironment } from '../shell/environment.ts'

const shown = new Set(['orderNumber', 'status', 'total', 'placedOn'])
const columns = orderColumns.filter(({ id }) => shown.has(id))

/** The latest orders of a user, and the way to all. */
export function UserOrders({ userId }: { userId: number }) {
  const environment = useEnvironment()
  const orders = usePages(
    useInfiniteQuery(list(environment, 'listOrders', { query: { userId } }, { live: ['order'], limit: 10 })),
    'orders',
  )
  return (
    <Section title="Orders">
      <DataTable
        label="Orders of the user"
        query={orders}
        columns={columns}
        rowKey={({ orderNumber }) => String(orderNumber)}
        linkOf={({ orderNumber }) => `/orders/${orderNumber}`}
        fit
        empty={
          <Empty title="No orders yet">What the user orders on the site, or partners for the user, is here.</Empty>
        }
      />
      {orders.hasMore && <At to={`/orders?userId=${userId}`}>All orders of the user</At>}
    </Section>
  )
}
