/** Why the stock of a variant changed. */
export const stockMovementKinds = [
  /** an order took the pieces; below zero, they are owed to it */
  'ORDERED',
  /** a cancelled line returned what it had taken */
  'CANCELLED',
  /** a line took more or returned some, because its quantity was changed */
  'ADJUSTED',
  /** the stock was set to a counted number, or is no longer tracked */
  'COUNTED',
  'CORRECTED',
  'RECEIVED',
  /** a customer sent the pieces back */
  'RETURNED',
  'SCRAPPED',
  'IMPORTED',
  /** from one shelf to another: two movements whose sum is 0 */
  'MOVED',
  /** left a shelf with a shipment: two movements whose sum is 0, since its order took them before */
  'PICKED',
] as const

export type StockMovementKind = (typeof stockMovementKinds)[number]
