/**
 * The id of a product as partners write it: `SLO_` for one that the site owns, `SLS_` for one shared to it (GEN-13,
 * GEN-14).
 */
export type ProductId = { kind: 'SLO' | 'SLS'; number: string }

const form = /^(SLO|SLS)_(\d{1,18})$/

export const productIdPattern = '^(SLO|SLS)_\\d{1,18}$'

export function readProductId(text: string): ProductId | undefined {
  const match = form.exec(text)
  return match ? { kind: match[1] as 'SLO' | 'SLS', number: match[2]! } : undefined
}
