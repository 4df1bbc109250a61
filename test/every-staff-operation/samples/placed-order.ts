import { pdfFile, pngFile } from '../../world/artwork.ts'
import { orderBuilder } from '../../world/order-builder.ts'
import { partner } from '../../world/partner.ts'
import { placed } from '../../world/production.ts'
import { unique } from '../plain-names.ts'
import type { SampleWorld } from '../samples.ts'

/** A new order with one line, after the given steps. Each step is a POST to the line's path plus that suffix. */
export type PlacedOrder = {
  orderNumber: number
  lineNumber: number
  /** path of the order; `line` is the path of its line */
  at: string
  line: string
}

export async function placedOrder({ service, admin }: SampleWorld, ...steps: string[]): Promise<PlacedOrder> {
  const build = orderBuilder(service.manifest)
  const { orderNumber } = await placed(
    await partner(service, 'primary'),
    build.order({ partnerOrderId: unique('NW-2026-0318') }),
  )
  const at = `/staff/v1/production/orders/${orderNumber}`
  const line = `${at}/lines/1`
  for (const step of steps) {
    const answer = await admin.post(`${line}/${step}`, step === 'override' ? atTheWorks : undefined)
    if (answer.status !== 200) throw new Error(`${step}: ${JSON.stringify(answer.body)}`)
  }
  return { orderNumber, lineNumber: 1, at, line }
}

/** Why a line without a proof and artwork is printed all the same. */
export const atTheWorks = {
  reason: 'ARTWORK_AT_THE_WORKS',
  comment: 'Plates of last month; Dana Reyes confirmed by telephone.',
}

/** The steps from a new line to packing. */
export const untilPacked: readonly string[] = ['advance', 'override', 'advance', 'advance', 'advance']

/** Reserves an upload on the line, uploads the bytes, and returns the reservation name. */
export async function uploaded(
  { admin }: Pick<SampleWorld, 'admin'>,
  { line }: Pick<PlacedOrder, 'line'>,
  bytes: string,
): Promise<string> {
  const { body } = await admin.post(`${line}/uploads`, { fileName: 'business-cards.pdf' })
  const put = await fetch(body.uploadUrl, { method: 'PUT', body: Buffer.from(bytes, 'latin1') })
  if (put.status !== 200) throw new Error(`the upload answered ${put.status}`)
  return body.reservationName
}

export const pdfBytes = pdfFile('made elsewhere').toString('latin1')
export const pngBytes = pngFile.toString('latin1')
