import { useInfiniteQuery } from '@tanstack/react-query'
import { list } from '../api/queries.ts'
import { Verbs } from '../kit/verbs.tsx'
import { printing } from '../orders/documents.tsx'
import { useEnvironment } from '../shell/environment.ts'

/** Prints the papers of a shipment that has left: the carrier's labels, or without any the service's own, and the slip. */
export function PapersAgain({ orderNumber, shipmentNumber }: { orderNumber: number; shipmentNumber: number }) {
  const path = { orderNumber, shipmentNumber }
  const labels = useInfiniteQuery(list(useEnvironment(), 'listLabels', { path }, { live: ['shipment'] }))
  const bought = (labels.data?.pages ?? []).flatMap((page) => page.labels).filter(({ status }) => status === 'BOUGHT')
  const ofCarrier = bought.map(({ labelId, packageNumber }) =>
    printing('downloadLabel', `Print the label of package ${packageNumber}`, { ...path, labelId }),
  )
  const verbs = [
    ...ofCarrier,
    printing('drawLabels', 'Print the label', path, ofCarrier.length > 0),
    printing('drawPackingSlip', 'Print the packing slip', path),
  ]
  return <Verbs verbs={verbs} first={verbs.length} label={`Papers of shipment ${shipmentNumber}`} />
}
