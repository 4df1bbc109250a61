import { sql } from '../../database/sql.ts'
import {
  drawJobTickets,
  drawLabels,
  drawPackingSlips,
  drawPickList,
  drawStatement,
} from '../../platform/paperwork/draw-documents.ts'
import { issueInvoice, listInvoices, readInvoice } from '../../platform/paperwork/invoices.ts'
import { lineName, printOf, type LineId } from '../../platform/paperwork/print-of.ts'
import { drawnBrand } from '../../platform/paperwork/read-pictures.ts'
import { readJobTickets } from '../../platform/paperwork/read-job-tickets.ts'
import { readPickList } from '../../platform/paperwork/read-pick-list.ts'
import { readLabels, readPackingSlips } from '../../platform/paperwork/read-shipments.ts'
import { readConfirmation } from '../../platform/paperwork/read-statement.ts'
import { recordPrinted } from '../../platform/paperwork/record-printed.ts'
import { readBrand } from '../../platform/sites/brand.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import { orderChange } from '../orders/change-order.ts'
import type { StaffHandlers } from '../operation.ts'
import type { documents } from './contract.ts'

const linesMax = 200

const noShipment = 'The order has no such shipment, or it is cancelled.'

type Missing = { missing: string[] }
type Drawn = { bytes: Uint8Array }

export const documentHandlers: StaffHandlers<typeof documents> = {
  drawJobTicket: async ({ environment, path, now, refuse }) => {
    const drawn = await tickets(environment, [path], now)
    if ('missing' in drawn) throw refuse('line_not_found')
    return file(drawn, `job-ticket-${lineName(path)}`)
  },
  drawOrderTickets: async ({ environment, path, now, refuse }) => {
    const lines = await linesOf(environment, path.orderNumber)
    const drawn = lines.length > 0 && (await tickets(environment, lines, now))
    if (!drawn || 'missing' in drawn) throw refuse('order_not_found')
    return file(drawn, `job-tickets-${path.orderNumber}`)
  },
  drawJobTickets: async ({ environment, body, change, now, refuse }) => {
    const drawn = await tickets(environment, body.lines, now)
    if ('missing' in drawn) throw refuse('line_not_found', notThere('lines', drawn))
    await printed(environment, change, 'job_tickets', body.lines.map(lineName))
    return file(drawn, 'job-tickets')
  },
  drawOrderPickList: async ({ environment, path, now, refuse }) => {
    const lines = await linesOf(environment, path.orderNumber)
    const drawn = lines.length > 0 && (await picks(environment, lines, now))
    if (!drawn || 'missing' in drawn) throw refuse('order_not_found')
    return file(drawn, `pick-list-${path.orderNumber}`)
  },
  drawPickList: async ({ environment, body, change, now, refuse }) => {
    const drawn = await picks(environment, body.lines, now)
    if ('missing' in drawn) throw refuse('line_not_found', notThere('lines', drawn))
    await printed(environment, change, 'pick_list', body.lines.map(lineName))
    return file(drawn, 'pick-list')
  },
  drawPackingSlip: async ({ environment, path, now, refuse }) => {
    const ofOrder = await isShipmentOf(environment, path)
    const drawn = ofOrder && (await slips(environment, [path.shipmentNumber], now))
    if (!drawn || 'missing' in drawn) throw refuse('shipment_not_found', noShipment)
    return file(drawn, `packing-slip-${path.shipmentNumber}`)
  },
  drawPackingSlips: async ({ environment, body, change, now, refuse }) => {
    const drawn = await slips(environment, body.shipmentNumbers, now)
    if ('missing' in drawn) throw refuse('shipment_not_found', notThere('shipments', drawn))
    await printed(environment, change, 'packing_slips', body.shipmentNumbers.map(String))
    return file(drawn, 'packing-slips')
  },
  drawLabels: async ({ environment, path, query, now, refuse }) => {
    const ofOrder = await isShipmentOf(environment, path)
    const drawn = ofOrder && (await labels(environment, [path.shipmentNumber], query.packages, now))
    if (!drawn || 'missing' in drawn) throw refuse('shipment_not_found', noShipment)
    return file(drawn, `labels-${path.shipmentNumber}`)
  },
  drawManyLabels: async ({ environment, body, change, now, refuse }) => {
    const drawn = await labels(environment, body.shipmentNumbers, 1, now)
    if ('missing' in drawn) throw refuse('shipment_not_found', notThere('shipments', drawn))
    await printed(environment, change, 'labels', body.shipmentNumbers.map(String))
    return file(drawn, 'labels')
  },
  drawConfirmation: async ({ environment, path, now, refuse }) => {
    const found = await readConfirmation(storesOf(environment), path.orderNumber)
    if (!found) throw refuse('order_not_found')
    const print = await printOf(environment.database.reads, found.siteId, now)
    return file({ bytes: await drawStatement({ print, statement: found.statement }) }, `order-${path.orderNumber}`)
  },
  issueInvoice: async (call) => {
    const { environment, path } = call
    const change = await orderChange(call)
    const { siteId, invoiceNumber } = await makeChange({ ...call, change }, (tx, by) =>
      issueInvoice(tx, by, call.environment.keys('person-key'), path.orderNumber),
    )
    const [invoice] = await listInvoices(environment.database.statements, { siteId }, invoiceNumber - 1, 1)
    return { status: 201, body: invoice! }
  },
  listOrderInvoices: async ({ environment, path, query, after, page }) => {
    const found = await listInvoices(environment.database.longReads, path, Number(after?.[0] ?? 0), query.limit + 1)
    const { rows, nextCursor } = page(found, ({ invoiceNumber }) => [invoiceNumber])
    return { status: 200, body: { invoices: rows, nextCursor } }
  },
  listSiteInvoices: async ({ environment, path, query, after, page }) => {
    const found = await listInvoices(environment.database.longReads, path, Number(after?.[0] ?? 0), query.limit + 1)
    const { rows, nextCursor } = page(found, ({ invoiceNumber }) => [invoiceNumber])
    return { status: 200, body: { invoices: rows, nextCursor } }
  },
  drawInvoice: async ({ environment, path, now, refuse }) => {
    const { reads } = environment.database
    const issued = await readInvoice(reads, environment.keys('person-key'), path.siteId, path.invoiceNumber)
    if (!issued) throw refuse('invoice_not_found')
    const [print, brand] = await Promise.all([printOf(reads, path.siteId, now), readBrand(reads, path.siteId)])
    const { logo } = await drawnBrand(environment.objectStore, brand)
    const statement = { ...issued, brand: { ...issued.brand, logo } }
    return file({ bytes: await drawStatement({ print, statement }) }, `invoice-${path.siteId}-${path.invoiceNumber}`)
  },
}

function storesOf({ database, objectStore }: StaffEnvironment) {
  return { queries: database.reads, objectStore }
}

async function tickets(environment: StaffEnvironment, lines: readonly LineId[], now: Date): Promise<Drawn | Missing> {
  const found = await readJobTickets(storesOf(environment), lines, environment.lineUrl)
  if ('missing' in found) return found
  const print = await printOf(environment.database.reads, found.siteId, now)
  return { bytes: await drawJobTickets({ print, tickets: found.tickets }) }
}

async function picks(environment: StaffEnvironment, lines: readonly LineId[], now: Date): Promise<Drawn | Missing> {
  const found = await readPickList(environment.database.reads, lines)
  if ('missing' in found) return found
  const print = await printOf(environment.database.reads, found.siteId, now)
  return { bytes: await drawPickList({ print, list: found.list }) }
}

async function slips(environment: StaffEnvironment, shipments: readonly number[], now: Date): Promise<Drawn | Missing> {
  const found = await readPackingSlips(storesOf(environment), shipments)
  if ('missing' in found) return found
  const print = await printOf(environment.database.reads, found.siteId, now)
  return { bytes: await drawPackingSlips({ print, slips: found.slips }) }
}

async function labels(
  environment: StaffEnvironment,
  shipments: readonly number[],
  packages: number,
  now: Date,
): Promise<Drawn | Missing> {
  const found = await readLabels(storesOf(environment), shipments, packages)
  if ('missing' in found) return found
  const print = await printOf(environment.database.reads, found.siteId, now)
  return { bytes: await drawLabels({ print, labels: found.labels }) }
}

/** What production makes of an order, and what it records of it. */
async function linesOf({ database }: StaffEnvironment, orderNumber: number): Promise<LineId[]> {
  return database.reads.rows<LineId>(sql`
    select order_number, line_number from order_line where order_number = ${orderNumber}
    order by line_number limit ${linesMax}`)
}

async function isShipmentOf(
  { database }: StaffEnvironment,
  { orderNumber, shipmentNumber }: { orderNumber: number; shipmentNumber: number },
): Promise<boolean> {
  const found = await database.reads.row(sql`
    select from shipment where shipment_number = ${shipmentNumber} and order_number = ${orderNumber}`)
  return found !== undefined
}

function notThere(what: string, { missing }: Missing): string {
  const named = missing.slice(0, 20).join(', ')
  return `No such ${what}: ${named}${missing.length > 20 ? ` and ${missing.length - 20} more` : ''}.`
}

async function printed({ database }: StaffEnvironment, change: Change, kind: string, of: string[]): Promise<void> {
  await database.change((tx) => recordPrinted(tx, change, kind, of))
}

function file({ bytes }: Drawn, name: string) {
  return { status: 200 as const, body: bytes, headers: { 'content-disposition': `inline; filename="${name}.pdf"` } }
}
