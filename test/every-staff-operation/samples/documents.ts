import type { Samples, SampleWorld } from '../samples.ts'
import { placedOrder } from './placed-order.ts'

async function order(world: SampleWorld) {
  const { orderNumber, at } = await placedOrder(world)
  const { shipmentNumber } = (await world.admin.get(at)).body.shipments[0]
  return { orderNumber, lineNumber: 1, shipmentNumber }
}

async function invoice(world: SampleWorld) {
  const { orderNumber } = await order(world)
  const { body } = await world.admin.post(`/staff/v1/production/orders/${orderNumber}/invoices`)
  return { orderNumber, siteId: body.siteId as number, invoiceNumber: body.invoiceNumber as number }
}

export const documentSamples: Samples = {
  drawJobTicket: async (world) => ({ path: await order(world) }),
  drawOrderTickets: async (world) => ({ path: await order(world) }),
  drawJobTickets: async (world) => {
    const { orderNumber, lineNumber } = await order(world)
    return { body: { lines: [{ orderNumber, lineNumber }] } }
  },
  drawOrderPickList: async (world) => ({ path: await order(world) }),
  drawPickList: async (world) => {
    const { orderNumber, lineNumber } = await order(world)
    return { body: { lines: [{ orderNumber, lineNumber }] } }
  },
  drawPackingSlip: async (world) => ({ path: await order(world) }),
  drawPackingSlips: async (world) => ({ body: { shipmentNumbers: [(await order(world)).shipmentNumber] } }),
  drawLabels: async (world) => ({ path: await order(world), query: 'packages=2' }),
  drawManyLabels: async (world) => ({ body: { shipmentNumbers: [(await order(world)).shipmentNumber] } }),
  drawConfirmation: async (world) => ({ path: await order(world) }),
  issueInvoice: async (world) => ({ path: await order(world) }),
  listOrderInvoices: async (world) => ({ path: await invoice(world) }),
  listSiteInvoices: () => ({}),
  drawInvoice: async (world) => ({ path: await invoice(world) }),
}
