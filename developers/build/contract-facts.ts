import { operationsOf, type Published } from './documents.ts'

/**
 * What a contract promises, one line for each promise: `operation getOrder`, `parameter listOrders.limit`,
 * `field Order.totalPrice`, `event shipment.shipped`, `code order_not_found`.
 */
export function factsOf(documents: readonly Published[]): string[] {
  const operations = operationsOf(documents)
  const facts = [
    ...operations.map(({ id }) => `operation ${id}`),
    ...operations.flatMap(({ id, parameters }) => parameters.map(({ name }) => `parameter ${id}.${name}`)),
    ...operations.flatMap(({ codes }) => codes.map((code) => `code ${code}`)),
    ...documents.flatMap(({ document }) => Object.keys(document.webhooks ?? {}).map((type) => `event ${type}`)),
    ...documents.flatMap(({ document }) =>
      Object.entries(document.components.schemas)
        .filter(([name]) => !name.endsWith('Problem'))
        .flatMap(([name, { properties }]) => Object.keys(properties ?? {}).map((field) => `field ${name}.${field}`)),
    ),
  ]
  return [...new Set(facts)].toSorted()
}
