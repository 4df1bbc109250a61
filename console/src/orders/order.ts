import type { AnswerOf } from '../api/api.ts'

export type Order = AnswerOf<'readOrder'>
export type Line = Order['lines'][number]
export type Shipment = Order['shipments'][number]

/** A line that is still to be made or to ship. */
export function isOpen(line: Line): boolean {
  return line.cancelledOn === null && line.shippedOn === null && line.productionStatus !== 'COMPLETE'
}

/** A new reference for what must happen only once; staff may write their own case number over it. */
export function newReference(): string {
  return `console-${crypto.randomUUID().slice(0, 8)}`
}

/** How a line is named: by its product and job. */
export function nameOfLine({ lineNumber, productName, jobName }: Line): string {
  return `${lineNumber} · ${jobName ?? productName}`
}
