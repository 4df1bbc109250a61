import { inWords } from '../kit/status.tsx'

/** What was done, in the words of the trade. */
const changes: Readonly<Record<string, string>> = {
  'artwork.finding_waived': 'Finding waived',
  'artwork.inspected_again': 'Artwork inspected again',
  'artwork.waiver_ended': 'Waiver taken back',
  'documents.printed': 'Documents printed',
  'invoice.issued': 'Invoice or credit note issued',
  'line.adjusted': 'Quantity or price changed',
  'line.advanced': 'Line moved on',
  'line.artwork_attached': 'Print file added',
  'line.assigned': 'Line assigned',
  'line.backordered': 'Back order set',
  'line.cancelled': 'Line cancelled',
  'line.dates_set': 'Dates set',
  'line.guards_overridden': 'Guard passed over',
  'line.held': 'Line put on hold',
  'line.priority_set': 'Priority set',
  'line.problem_cleared': 'Problem cleared',
  'line.problem_reported': 'Problem reported',
  'line.released': 'Line released',
  'line.reprinted': 'Line reprinted',
  'line.upload_reserved': 'Upload of a file begun',
  'mail.sent_again': 'Mail sent again',
  'order.approved': 'Order approved',
  'order.cancelled': 'Order cancelled',
  'order.completed': 'Order completed',
  'order.created': 'Order placed',
  'order.held': 'Order put on hold',
  'order.looked_at': 'Order looked at',
  'order.note_withdrawn': 'Note withdrawn',
  'order.note_written': 'Note written',
  'order.priority_set': 'Priority of the order set',
  'order.refunded': 'Refund',
  'order.released': 'Order released',
  'order.status_changed': 'Status of the order changed',
  'order_line.cancelled': 'Line cancelled',
  'proof.approved': 'Proof approved',
  'proof.declined': 'Proof declined',
  'proof.entered': 'Line put in proofing',
  'proof.pending_review': 'Proof waits for a decision',
  'proof.published': 'Proof published',
  'shipment.cancelled': 'Shipment cancelled',
  'shipment.delivery_changed': 'Delivery changed',
  'shipment.shipped': 'Shipment shipped',
}

/** `line.advanced` → "Line moved on". What has no words of its own is told by its code: "Stock imported". */
export function changeInWords(code: string): string {
  return changes[code] ?? inWords(code.replaceAll('.', '_'))
}

/** What nobody who reads the history looks for. */
const untold: ReadonlySet<string> = new Set([
  'md5',
  'orderNumber',
  'currency',
  'labelId',
  'noteId',
  'inspectionId',
  'waiverId',
  'staffId',
  'revision',
])

const names: Readonly<Record<string, string>> = {
  restShipmentNumber: 'rest in shipment',
  successorNumber: 'goods now in shipment',
  trackingNumber: 'tracking number',
  sizeBytes: 'size',
  estimatedShipBy: 'estimated to ship by',
  shipBy: 'to ship by',
  lineNumber: 'line',
  statusBefore: 'before',
}

/** Whose values are codes of the service, such as IMAGE_QUALITY. */
const coded: ReadonlySet<string> = new Set(
  'from to at reason status statusBefore problem priority kind audience proof'.split(' '),
)

/** A fact of a change: "from prepress", "reason: image quality"; undefined if it tells people nothing. */
export function factInWords(name: string, value: unknown): string | undefined {
  if (untold.has(name) || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  const words = coded.has(name) ? valueInWords(value) : String(value)
  if (name === 'from' || name === 'to' || name === 'at') return `${name} ${words}`
  return `${names[name] ?? inWords(name.replaceAll(/([A-Z])/g, '_$1')).toLowerCase()}: ${words}`
}

function valueInWords(value: string | number): string {
  return typeof value === 'string' && /^[A-Z]{2,}(_[A-Z]+)*$/.test(value) ? inWords(value).toLowerCase() : String(value)
}
