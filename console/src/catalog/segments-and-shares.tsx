import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { DataTable, usePages } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { ChoiceField, ChoicesField, Form, useForm } from '../kit/form.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSites } from '../shell/sites.ts'
import type { ProductDetail } from './product-glance.tsx'

/** Who sees the product, and on which other sites it is offered. */
export function SegmentsAndShares({ product }: { product: ProductDetail }) {
  return (
    <>
      <Section title="Segments">
        <Segments key={product.segments.map(({ segmentId }) => segmentId).join()} product={product} />
      </Section>
      <Section title="Shares">
        <Shares product={product} />
      </Section>
    </>
  )
}

function Segments({ product }: { product: ProductDetail }) {
  const { productId, siteId, segments, visibility } = product
  const environment = useEnvironment()
  const may = useMay()
  const mayChange = may('setProductSegments') && may('listSegments')
  const query = { siteId } as QueryOf<'listSegments'>
  const { rows = [] } = usePages(
    useInfiniteQuery({ ...list(environment, 'listSegments', { query }), enabled: mayChange }),
    'segments',
  )
  const form = useForm('setProductSegments', {
    initial: { segmentIds: segments.map(({ segmentId }) => String(segmentId)) as readonly string[] },
    input: ({ segmentIds }) => ({ path: { productId }, body: { segmentIds: segmentIds.map(Number) } }),
  })
  return (
    <Stack gap="sm" maw={560}>
      <Text size="sm" c="dimmed">
        {visibility === 'SEGMENTS'
          ? 'Only users in these segments see the product.'
          : 'They matter only while the product is seen by users in its segments, which is set under General.'}
      </Text>
      {mayChange ? (
        <Form form={form} submit="Save segments">
          <ChoicesField
            form={form}
            name="segmentIds"
            label="Segments"
            data={rows.map(({ segmentId, name }) => ({ value: String(segmentId), label: name }))}
          />
        </Form>
      ) : (
        <Text size="sm">{segments.map(({ name }) => name).join(', ') || 'No segments'}</Text>
      )}
    </Stack>
  )
}

function Shares({ product }: { product: ProductDetail }) {
  const { productId, siteId, masterId, shares } = product
  const may = useMay()
  const sites = useSites()
  const nameOf = (id: number) => sites.find((site) => site.siteId === id)?.name ?? `Site ${id}`
  const currency = sites.find((site) => site.siteId === siteId)?.currency
  const taken = new Set([siteId, ...shares.map((share) => share.siteId)])
  const form = useForm('shareProduct', {
    initial: { siteId: '' },
    input: (values) => ({ path: { productId }, body: { siteId: Number(values.siteId) } }),
    onDone: () => form.reset(),
  })
  if (masterId !== null)
    return (
      <Text size="sm">
        This is a share of{' '}
        <At to={`/catalog/${masterId}`} underline="always">
          {masterId}
        </At>
        , and is not shared further.
      </Text>
    )
  return (
    <Stack gap="sm">
      <DataTable
        label="Shares"
        fit
        rows={shares}
        columns={[
          { id: 'site', header: 'Site', cell: (share) => nameOf(share.siteId) },
          { id: 'product', header: 'Product', width: 160, cell: (share) => share.productId },
          {
            id: 'state',
            header: 'State',
            width: 120,
            cell: ({ active }) => <Status value={active ? 'ACTIVE' : 'INACTIVE'} />,
          },
        ]}
        rowKey={(share) => share.productId}
        linkOf={(share) => `/catalog/${share.productId}`}
        empty={<Empty title="It is on no other site">Share it with a site of the same currency.</Empty>}
      />
      {may('shareProduct') && (
        <Form form={form} submit="Share with the site">
          <ChoiceField
            form={form}
            name="siteId"
            label="Site"
            searchable
            data={sites
              .filter((site) => !taken.has(site.siteId) && site.currency === currency)
              .map((site) => ({ value: String(site.siteId), label: site.name }))}
          />
        </Form>
      )}
    </Stack>
  )
}
