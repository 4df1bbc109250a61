import { faultyPdfFile } from '../../world/artwork.ts'
import { until } from '../../world/webhooks.ts'
import type { Samples, SampleWorld } from '../samples.ts'
import { placedOrder, uploaded, type PlacedOrder } from './placed-order.ts'

export type InspectedOrder = PlacedOrder & {
  /** as the line's artwork shows it */
  file: { inspectionId: string; status: string; findings: any[]; pages: any[] }
  /** names the gravest finding */
  gravest: { code: string; page: number | null; subject: string | null }
}

const faultyBytes = faultyPdfFile().toString('latin1')

/** A new order with one line and an inspected print file, in which errors were found. */
export async function inspectedOrder(world: SampleWorld): Promise<InspectedOrder> {
  const order = await placedOrder(world)
  const { admin } = world
  await admin.post(`${order.line}/print-files`, { reservationName: await uploaded(world, order, faultyBytes) })
  let [file]: any[] = []
  await until(async () => {
    ;[file] = (await admin.get(`${order.line}/artwork`)).body.files
    return file.status !== 'queued' && file.status !== 'inspecting'
  })
  const { code, page, subject } = file.findings[0]
  return { ...order, file, gravest: { code, page, subject } }
}

const reason = 'The customer saw the low resolution on the proof and wants it printed.'

export const artworkSamples: Samples = {
  listInspections: async (world) => ({ query: `orderNumber=${(await inspectedOrder(world)).orderNumber}` }),
  readLineArtwork: async (world) => {
    const { orderNumber, lineNumber } = await inspectedOrder(world)
    return { path: { orderNumber, lineNumber } }
  },
  waiveFinding: async (world) => {
    const { file, gravest } = await inspectedOrder(world)
    return { path: { inspectionId: file.inspectionId }, body: { ...gravest, reason } }
  },
  unwaiveFinding: async (world) => {
    const { file, gravest } = await inspectedOrder(world)
    const { inspectionId } = file
    await world.admin.post(`/staff/v1/production/artwork-inspections/${inspectionId}/waive`, { ...gravest, reason })
    return { path: { inspectionId }, body: gravest }
  },
  inspectAgain: async (world) => ({ path: { inspectionId: (await inspectedOrder(world)).file.inspectionId } }),
}
