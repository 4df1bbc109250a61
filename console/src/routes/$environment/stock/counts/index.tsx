import { Button, Group, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { AnswerOf, QueryOf } from '../../../../api/api.ts'
import { list, read } from '../../../../api/queries.ts'
import { useMay } from '../../../../api/session.ts'
import { At, useGo } from '../../../../kit/at.tsx'
import { Beside } from '../../../../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../../../../kit/data-table.tsx'
import { Empty } from '../../../../kit/empty.tsx'
import { FilterBar, FilterChoice, queryFrom, useUrlState } from '../../../../kit/filters.tsx'
import { ChoiceField, Form, TextField, useForm } from '../../../../kit/form.tsx'
import { PageHead } from '../../../../kit/page-head.tsx'
import { Status } from '../../../../kit/status.tsx'
import { When } from '../../../../kit/when.tsx'
import { useEnvironment } from '../../../../shell/environment.ts'
import { useSiteFilter, useSites } from '../../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/stock/counts/')({ component: CountsPage })

type Count = AnswerOf<'listStockCounts'>['stockCounts'][number]

const columns: readonly Column<Count>[] = [
  { id: 'id', header: 'Count', width: 90, cell: ({ stockCountId }) => stockCountId },
  { id: 'note', header: 'Note', hideBelow: 'sm', cell: ({ note }) => note },
  {
    id: 'state',
    header: 'State',
    width: 110,
    cell: ({ closedOn }) => <Status value={closedOn === null ? 'OPEN' : 'CLOSED'} />,
  },
  {
    id: 'counted',
    header: 'Counted',
    width: 110,
    align: 'end',
    cell: ({ countedCount, rowCount }) => `${countedCount} of ${rowCount}`,
  },
  { id: 'by', header: 'Begun by', width: 140, hideBelow: 'md', cell: ({ begunBy }) => begunBy },
  { id: 'begun', header: 'Begun', width: 130, hideBelow: 'sm', cell: ({ begunOn }) => <When at={begunOn} /> },
]

function CountsPage() {
  const environment = useEnvironment()
  const may = useMay()
  const [state, set] = useUrlState()
  const query = queryFrom(state, ['open']) as QueryOf<'listStockCounts'>
  const counts = usePages(useInfiniteQuery(list(environment, 'listStockCounts', { query })), 'stockCounts')
  const close = () => set({ begin: undefined })
  return (
    <>
      <PageHead
        title="Counts"
        above={<At to="/stock">Stock</At>}
        about={<StockCheck />}
        actions={may('beginStockCount') && <Button onClick={() => set({ begin: 'yes' })}>Begin a count</Button>}
      />
      <FilterBar>
        <FilterChoice
          name="open"
          label="State"
          data={[
            { value: 'true', label: 'Open' },
            { value: 'false', label: 'Closed' },
          ]}
        />
      </FilterBar>
      <Beside
        title={state.begin && may('beginStockCount') ? 'Begin a count' : undefined}
        detail={<Begin onCancel={close} />}
        onClose={close}
      >
        <DataTable
          label="Counts"
          query={counts}
          columns={columns}
          rowKey={({ stockCountId }) => String(stockCountId)}
          linkOf={({ stockCountId }) => `/stock/counts/${stockCountId}`}
          empty={<Empty title="No counts">Begin one for a site, a shelf or both.</Empty>}
        />
      </Beside>
    </>
  )
}

/** Whether the movements of each variant add up to its stock. */
function StockCheck() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const { data } = useQuery(
    read(environment, 'checkStock', { query: { siteId, limit: 1000 } as QueryOf<'checkStock'> }),
  )
  if (!data) return null
  const { checked, differences, nextCursor } = data
  const which = `${checked.toLocaleString('en-US')}${nextCursor === null ? '' : ' first'} variants and shelves`
  return differences.length === 0 ? (
    <Status value="ready" label={`The movements of ${which} add up to their stock.`} />
  ) : (
    <Stack gap={2}>
      <Status value="error" label={`${differences.length} of ${which} do not add up.`} />
      {differences.slice(0, 10).map(({ variantId, shelf, pieces, moved }) => (
        <span key={`${variantId} ${shelf}`}>
          Variant {variantId}, shelf {shelf ?? 'none'}: {pieces} pieces, {moved} by its movements
        </span>
      ))}
    </Stack>
  )
}

function Begin({ onCancel }: { onCancel: () => void }) {
  const go = useGo()
  const sites = useSites()
  const siteFilter = useSiteFilter()
  const form = useForm('beginStockCount', {
    initial: { siteId: siteFilter === undefined ? '' : String(siteFilter), shelf: '', note: '' },
    input: ({ siteId, shelf, note }) => ({
      body: {
        ...(siteId && { siteId: Number(siteId) }),
        ...(shelf.trim() && { shelf: shelf.trim() }),
        ...(note.trim() && { note: note.trim() }),
      },
    }),
    onDone: ({ stockCountId }) => go(`/stock/counts/${stockCountId}`),
  })
  return (
    <Form form={form} submit="Begin the count" onCancel={onCancel}>
      <Group grow align="flex-start">
        <ChoiceField
          form={form}
          name="siteId"
          label="Site"
          clearable
          searchable
          data={sites.map(({ siteId, name }) => ({ value: String(siteId), label: name }))}
        />
        <TextField form={form} name="shelf" label="Shelf" description="Empty: all shelves" />
      </Group>
      <TextField form={form} name="note" label="Note" />
    </Form>
  )
}
