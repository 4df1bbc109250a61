import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay, useSession } from '../api/session.ts'
import { sumOf } from '../kit/money.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Order } from './order.ts'

export type OrderMoney = AnswerOf<'readOrderMoney'>
export type RefundedLine = NonNullable<OrderMoney['movements'][number]['refund']>['lines'][number]

export function useSeesMoney(): boolean {
  const { permissions } = useSession()
  return useMay()('readOrderMoney') && permissions.includes('orders:money')
}

/** The order in money; nothing is read for who may not see it. */
export function useOrderMoney({ orderNumber }: Order) {
  const query = read(useEnvironment(), 'readOrderMoney', { path: { orderNumber } }, { live: ['order', 'line'] })
  return useQuery({ ...query, enabled: useSeesMoney() })
}

/** What was refunded of a line, without tax; undefined if nothing was. */
export function refundedOfLine(money: OrderMoney | undefined, lineNumber: number) {
  const parts = (money?.movements ?? []).flatMap(({ refund }) =>
    (refund?.lines ?? []).filter((line) => line.lineNumber === lineNumber),
  )
  if (parts.length === 0) return undefined
  return {
    amount: sumOf(parts.map(({ amount }) => amount)),
    pieces: parts.reduce((sum, { pieces }) => sum + pieces, 0),
  }
}

export function inPieces(count: number): string {
  return count === 1 ? '1 piece' : `${count} pieces`
}
