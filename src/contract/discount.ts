import { decimal, described, nullable, record, text } from './fields.ts'

/** A discount that applied to an order line or a quote. */
export const Discount = record('Discount', {
  name: nullable(text),
  percent: nullable(described(decimal, 'percent off, such as `"12.5"`')),
  amount: nullable(described(decimal, "the reduction of the whole line, in the order's currency")),
})
