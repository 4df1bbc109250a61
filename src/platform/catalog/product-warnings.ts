import type { StoredSettings } from './product-settings.ts'

/**
 * What is allowed and hardly meant, as sentences for staff.
 * @param segments how many segments it is assigned to
 * @param pricedFrom the quantity from which it has prices; undefined = it has none
 */
export function productWarnings(
  { visibility, maxQuantity }: Pick<StoredSettings, 'visibility' | 'maxQuantity'>,
  segments: number,
  pricedFrom: number | undefined,
): string[] {
  const warnings: string[] = []
  if (visibility === 'SEGMENTS' && segments === 0) {
    warnings.push('The visibility is SEGMENTS and no segment is assigned: only users who see all segments see it.')
  }
  if (pricedFrom !== undefined && maxQuantity !== null && maxQuantity < pricedFrom) {
    warnings.push(`No quantity can be ordered: the prices start at ${pricedFrom}, and maxQuantity is ${maxQuantity}.`)
  }
  return warnings
}
