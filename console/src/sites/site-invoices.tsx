import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { call, type AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Money } from '../kit/money.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { print } from '../kit/print.ts'
import { Refused } from '../kit/refused.tsx'
import { inWords } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'

type Invoice = AnswerOf<'listSiteInvoices'>['invoices'][number]

/** Invoices and credit notes of a site, as they were issued. */
export function SiteInvoices({ siteId }: { siteId: number }) {
  const environment = useEnvironment()
  const input = { path: { siteId } }
  const invoices = usePages(
    useInfiniteQuery(list(environment, 'listSiteInvoices', input, { live: ['order'], limit: 50 })),
    'invoices',
  )
  const draw = useMutation({
    mutationFn: async (invoiceNumber: number) =>
      print(await call('drawInvoice', environment, { path: { siteId, invoiceNumber } })),
  })
  const columns: readonly Column<Invoice>[] = [
    { id: 'number', header: 'Number', width: 100, cell: ({ invoiceNumber }) => invoiceNumber },
    { id: 'kind', header: 'Kind', hideBelow: 'sm', cell: ({ kind }) => inWords(kind) },
    {
      id: 'order',
      header: 'Order',
      cell: ({ orderNumber }) => <At to={`/orders/${orderNumber}`}>{orderNumber}</At>,
    },
    {
      id: 'total',
      header: 'Total',
      align: 'end',
      width: 120,
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    },
    { id: 'issued', header: 'Issued', width: 140, hideBelow: 'sm', cell: ({ issuedOn }) => <When at={issuedOn} /> },
    {
      id: 'print',
      header: 'Document',
      width: 110,
      cell: ({ invoiceNumber }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          loading={draw.isPending && draw.variables === invoiceNumber}
          onClick={() => draw.mutate(invoiceNumber)}
          aria-label={`Print ${invoiceNumber}`}
        >
          Print
        </Button>
      ),
    },
  ]
  return (
    <PageBody>
      <Refused error={draw.error} />
      <DataTable
        label="Invoices"
        fit
        query={invoices}
        columns={columns}
        rowKey={({ invoiceNumber }) => String(invoiceNumber)}
        empty={
          <Empty title="No invoices yet">Invoices are issued on the page of an order, once goods have shipped.</Empty>
        }
      />
    </PageBody>
  )
}
