import { Type } from 'typebox'
import {
  bodyObject,
  decimal,
  described,
  instant,
  int32,
  longNumber,
  oneOf,
  pageOf,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import { paged, type Parameter } from '../../contract/parameters.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const pdf = { mediaType: 'application/pdf' }
const document = Type.String({ format: 'binary', description: 'a PDF document' })

const linesMax = 200

const lines = Type.Array(
  bodyObject({ orderNumber: longNumber, lineNumber: described(whole, 'its position in the order, from 1') }),
  {
    minItems: 1,
    maxItems: linesMax,
    description: 'in the order in which they are printed',
  },
)

const shipmentNumbers = Type.Array(longNumber, {
  minItems: 1,
  maxItems: linesMax,
  description: 'in the order in which they are printed; shipments of different orders may stand together',
})

/** How many labels a shipment gets that was not packed yet. */
const packagesMax = 50

const packages: Parameter<number> & { fallback: number } = {
  schema: Type.Integer({ minimum: 1, maximum: packagesMax, default: 1 }),
  read: (value) => (/^[1-9]\d?$/.test(value) && Number(value) <= packagesMax ? Number(value) : undefined),
  malformed: 'invalid_request',
  says: 'how many packages a shipment will have that is not packed yet; a shipped one has a label for each of its packages',
  form: `a whole number from 1 to ${packagesMax}`,
  fallback: 1,
}

export const InvoiceView = record('Invoice', {
  siteId: int32,
  invoiceNumber: described(int32, 'in the series of the site, without gaps'),
  orderNumber: longNumber,
  kind: described(oneOf(['INVOICE', 'CREDIT_NOTE']), 'CREDIT_NOTE = the customer gets the total back'),
  currency: described(text, 'ISO 4217 code'),
  total: described(decimal, 'with tax, before credit is subtracted'),
  issuedOn: instant,
})

export const documents = staffSubject({
  name: 'Documents',
  says:
    'What is printed about orders, as PDF files: on US Letter or A4, as is usual in the country of the site, labels on 4 × 6 in. ' +
    'Dates are days in the time zone of the site. Each file is drawn anew from what is known at that moment. Texts may be in any ' +
    'script. A picture that cannot be read does not stop a document: the place says why it is empty.',
  problems: {
    order_not_found: [404, 'No such order.'],
    line_not_found: [404, 'The order has no such line.'],
    shipment_not_found: [404, 'The order has no such shipment.'],
    invoice_not_found: [404, 'The site has no such invoice.'],
    order_pending_approval: [409, 'The order waits for approval.'],
    order_not_priced: [409, 'A line or a shipment of the order has no price yet.'],
    nothing_to_invoice: [409, 'The invoices of the order already contain all that it costs.'],
  },
  operations: {
    drawJobTicket: staffOperation({
      id: 'drawJobTicket',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/documents/job-ticket',
      permission: 'orders:read',
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['line_not_found'],
      says:
        'Draws the job ticket of a line: pictures of its artwork, its specification, quantity, due date, holds and notes, and a QR ' +
        'code that opens the line.',
    }),
    drawOrderTickets: staffOperation({
      id: 'drawOrderTickets',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/documents/job-tickets',
      permission: 'orders:read',
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['order_not_found'],
      says: `Draws the job tickets of the first ${linesMax} lines of an order in one file.`,
    }),
    drawJobTickets: staffOperation({
      id: 'drawJobTickets',
      at: 'POST /staff/v1/{environment}/documents/job-tickets',
      permission: 'orders:write',
      body: { schema: bodyObject({ lines }) },
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['line_not_found'],
      says: 'Draws the job tickets of many lines in one file; who drew them is on the record.',
    }),
    drawOrderPickList: staffOperation({
      id: 'drawOrderPickList',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/documents/pick-list',
      permission: 'orders:read',
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['order_not_found'],
      says: `Draws the pick list of an order's first ${linesMax} lines: what its open shipments need, by fulfilment center and shelf.`,
    }),
    drawPickList: staffOperation({
      id: 'drawPickList',
      at: 'POST /staff/v1/{environment}/documents/pick-list',
      permission: 'orders:write',
      body: { schema: bodyObject({ lines }) },
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['line_not_found'],
      says:
        'Draws one pick list of many lines. Lines that take the same goods from the same shelf share a row; lines with nothing to ' +
        'pick are named with the reason.',
    }),
    drawPackingSlip: staffOperation({
      id: 'drawPackingSlip',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/documents/packing-slip',
      permission: 'orders:read',
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['shipment_not_found'],
      says: 'Draws the packing slip of a shipment, with the brand of the partner or of the site and without prices.',
    }),
    drawPackingSlips: staffOperation({
      id: 'drawPackingSlips',
      at: 'POST /staff/v1/{environment}/documents/packing-slips',
      permission: 'orders:write',
      body: { schema: bodyObject({ shipmentNumbers }) },
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['shipment_not_found'],
      says: 'Draws the packing slips of many shipments in one file; who drew them is on the record.',
    }),
    drawLabels: staffOperation({
      id: 'drawLabels',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/documents/labels',
      permission: 'orders:read',
      query: { packages },
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['shipment_not_found'],
      says:
        'Draws a label of 4 × 6 in for each package of a shipment. Its bar code is a Code 128 of the tracking number, or of ' +
        'the number of the shipment and of the package.',
    }),
    drawManyLabels: staffOperation({
      id: 'drawManyLabels',
      at: 'POST /staff/v1/{environment}/documents/labels',
      permission: 'orders:write',
      body: { schema: bodyObject({ shipmentNumbers }) },
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['shipment_not_found'],
      says: 'Draws the labels of many shipments in one file; a shipment that is not packed yet has one.',
    }),
    drawConfirmation: staffOperation({
      id: 'drawConfirmation',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/documents/confirmation',
      permission: 'orders:money',
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['order_not_found'],
      says: 'Draws the confirmation of an order: its lines with prices, discounts, handling, shipping, tax by rate and credit.',
    }),
    issueInvoice: staffOperation({
      id: 'issueInvoice',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/invoices',
      permission: 'credit:write',
      answers: { 201: InvoiceView },
      refuses: ['order_not_found', 'order_pending_approval', 'order_not_priced', 'nothing_to_invoice'],
      says:
        'Issues the invoice of an order, under the next number of its site. Called again after the order was changed or ' +
        'refunded, it issues what has changed: an invoice if the order costs more, a credit note if it costs less.',
    }),
    listOrderInvoices: staffOperation({
      id: 'listOrderInvoices',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/invoices',
      permission: 'orders:money',
      query: paged({ default: 50, max: 200 }),
      collection: 'invoices',
      answers: { 200: pageOf('OrderInvoicePage', 'invoices', InvoiceView) },
      refuses: [],
      says: 'Lists the invoices and credit notes of an order by number.',
    }),
    listSiteInvoices: staffOperation({
      id: 'listSiteInvoices',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/invoices',
      permission: 'orders:money',
      query: paged({ default: 50, max: 200 }),
      collection: 'invoices',
      answers: { 200: pageOf('SiteInvoicePage', 'invoices', InvoiceView) },
      refuses: [],
      says: 'Lists the invoices and credit notes of a site by number.',
    }),
    drawInvoice: staffOperation({
      id: 'drawInvoice',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/invoices/{invoiceNumber}/document',
      permission: 'orders:money',
      download: pdf,
      takesTime: true,
      answers: { 200: document },
      refuses: ['invoice_not_found'],
      says: 'Draws an invoice or a credit note as it was issued, whatever has changed since; only the logo is that of today.',
    }),
  },
})
