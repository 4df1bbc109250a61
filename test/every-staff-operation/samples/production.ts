import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { atTheWorks, pdfBytes, placedOrder, uploaded } from './placed-order.ts'

/** A sample on the line of a new order. */
function line(sample: Sample = {}, ...steps: string[]) {
  return async (world: SampleWorld): Promise<Sample> => {
    const { orderNumber, lineNumber } = await placedOrder(world, ...steps)
    return { path: { orderNumber, lineNumber }, ...sample }
  }
}

const problem = { reason: 'PRINT_QUALITY', problem: 'The solid areas are mottled from sheet 200 on.' }

export const productionSamples: Samples = {
  advanceLine: line({ body: { expects: null } }),
  overrideGuards: line({ body: atTheWorks }, 'advance'),
  holdLine: line({ body: { reason: 'MATERIAL_MISSING', comment: 'The 16 pt stock comes on Thursday.' } }),
  releaseLine: line({}, 'hold'),
  reportProblem: line({ body: problem }),
  clearProblem: async (world) => {
    const order = await placedOrder(world)
    await world.admin.post(`${order.line}/report-problem`, problem)
    return { path: { orderNumber: order.orderNumber, lineNumber: order.lineNumber } }
  },
  setDates: line({ body: { estimatedShipBy: '2030-01-31T09:30:00Z', shipBy: null } }),
  adjustLine: line({ body: { quantity: 260 } }),
  backorderLine: line({ body: { pieces: 10 } }),
  cancelLine: line({ body: { reason: 'CUSTOMER_REQUEST', comment: 'Wants matte cards in a new order.' } }),
  reserveLineUpload: line({ body: { fileName: 'cards.pdf', contentType: 'application/pdf' } }),
  attachPrintFile: async (world) => {
    const order = await placedOrder(world)
    const { orderNumber, lineNumber } = order
    return { path: { orderNumber, lineNumber }, body: { reservationName: await uploaded(world, order, pdfBytes) } }
  },
}
