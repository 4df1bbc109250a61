import type { AnswerOf } from '../api/api.ts'
import type { Column } from '../kit/data-table.tsx'
import { Money } from '../kit/money.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'

export type Order = AnswerOf<'listOrders'>['orders'][number]

/** What lists of orders show of each. */
export const orderColumns: readonly Column<Order>[] = [
  { id: 'orderNumber', header: 'Order', width: 110, cell: (order) => order.orderNumber },
  { id: 'status', header: 'Status', width: 150, cell: (order) => <Status value={order.status} /> },
  { id: 'partner', header: 'Partner', hideBelow: 'sm', cell: (order) => order.partnerName ?? 'No partner' },
  { id: 'partnerOrderId', header: 'Their number', hideBelow: 'md', cell: (order) => order.partnerOrderId },
  { id: 'items', header: 'Items', width: 70, align: 'end', hideBelow: 'md', cell: (order) => order.itemCount },
  {
    id: 'total',
    header: 'Total',
    width: 110,
    align: 'end',
    cell: (order) => <Money amount={order.totalPrice} currency={order.currency} />,
  },
  {
    id: 'placedOn',
    header: 'Placed',
    width: 130,
    hideBelow: 'sm',
    cell: (order) => <When at={order.placedOn} siteId={order.siteId} />,
  },
]
