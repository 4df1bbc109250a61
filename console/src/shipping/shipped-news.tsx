import { Alert, Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api/api.ts'
import { At } from '../kit/at.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { print } from '../kit/print.ts'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'

export type Shipped = {
  orderNumber: number
  shipmentNumber: number
  /** those bought of a carrier */
  labelIds: readonly number[]
}

/**
 * What has just shipped, and its papers. The first label prints by itself, and each further paper by Enter, since each
 * may go to another printer and the browser prints one at a time.
 */
export function ShippedNews({ shipped }: { shipped: Shipped }) {
  const { orderNumber, shipmentNumber } = shipped
  const papers = usePapers(shipped)
  const [printed, setPrinted] = useState(0)
  const printing = useMutation({
    mutationFn: async (index: number) => print(await papers[index]!.draw()),
    onSuccess: (_, index) => setPrinted((before) => Math.max(before, index + 1)),
  })
  const first = useRef(() => printing.mutate(0))
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    first.current()
  }, [])
  const next = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    next.current?.focus()
  }, [printed])
  return (
    <PageBody>
      <Alert color="green" role="status" p="xs" mb="sm">
        <Group gap="xs">
          <span>
            {`Shipment ${shipmentNumber} of `}
            <At to={`/orders/${orderNumber}`}>order {orderNumber}</At> has shipped.
          </span>
          {papers.map(({ name }, index) => (
            <Button
              key={name}
              ref={index === printed ? next : undefined}
              variant={index === printed ? 'filled' : 'default'}
              loading={printing.isPending && printing.variables === index}
              onClick={() => printing.mutate(index)}
            >
              {index < printed ? `Print ${name} again` : `Print ${name}`}
            </Button>
          ))}
        </Group>
        <Refused error={printing.error} />
      </Alert>
    </PageBody>
  )
}

type Paper = { name: string; draw: () => Promise<Blob> }

/** The labels of the packages, then the packing slip. */
function usePapers({ orderNumber, shipmentNumber, labelIds }: Shipped): readonly Paper[] {
  const environment = useEnvironment()
  const path = { orderNumber, shipmentNumber }
  const labels: Paper[] =
    labelIds.length === 0
      ? [{ name: 'the label', draw: () => call('drawLabels', environment, { path }) }]
      : labelIds.map((labelId, at) => ({
          name: labelIds.length === 1 ? 'the label' : `label ${at + 1} of ${labelIds.length}`,
          draw: () => call('downloadLabel', environment, { path: { ...path, labelId } }),
        }))
  return [...labels, { name: 'the packing slip', draw: () => call('drawPackingSlip', environment, { path }) }]
}
