import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { inWords } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'

type Movement = AnswerOf<'listStockMovements'>['movements'][number]

const columns: readonly Column<Movement>[] = [
  { id: 'when', header: 'When', width: 110, cell: ({ movedOn }) => <When at={movedOn} /> },
  { id: 'kind', header: 'What', width: 130, cell: ({ kind }) => inWords(kind) },
  { id: 'pieces', header: 'Pieces', width: 70, align: 'end', cell: ({ pieces }) => signed(pieces) },
  {
    id: 'after',
    header: 'Free after',
    width: 80,
    align: 'end',
    cell: ({ stockAfter }) => stockAfter?.toLocaleString('en-US'),
  },
  { id: 'shelf', header: 'Shelf', width: 80, cell: ({ shelf }) => shelf ?? '–' },
  {
    id: 'why',
    header: 'Why',
    cell: ({ orderNumber, reason, actorId }) =>
      orderNumber === null ? (
        <Words says={reason ?? `by ${actorId}`} />
      ) : (
        <At to={`/orders/${orderNumber}`}>Order {orderNumber}</At>
      ),
  },
]

/** Every change of a variant's stock, newest first. */
export function Movements({ productId, variantId }: { productId: string; variantId: number }) {
  const environment = useEnvironment()
  const movements = usePages(
    useInfiniteQuery(
      list(
        environment,
        'listStockMovements',
        { path: { productId, variantId } },
        { live: ['variant', 'order'], limit: 25 },
      ),
    ),
    'movements',
  )
  return (
    <DataTable
      label="Movements"
      fit
      query={movements}
      columns={columns}
      rowKey={({ stockMovementId }) => String(stockMovementId)}
      empty={<Empty title="Nothing has moved yet">The first count begins its history.</Empty>}
    />
  )
}

function Words({ says }: { says: string }) {
  return <span title={says}>{says}</span>
}

function signed(pieces: number): string {
  return `${pieces > 0 ? '+' : ''}${pieces.toLocaleString('en-US')}`
}
