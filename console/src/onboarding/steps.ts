/** The steps of an onboarding, in the order in which they build on each other. */
export const steps = [
  { name: 'site', label: 'Site' },
  { name: 'delivery', label: 'Delivery and taxes' },
  { name: 'products', label: 'Products' },
  { name: 'partner', label: 'Partner' },
  { name: 'check', label: 'Check' },
] as const

export type Step = (typeof steps)[number]['name']

/** What there is so far. */
export type Begun = { siteId: number | undefined; partnerId: string | undefined }

/** The URL is all that an onboarding remembers; the rest is in the records themselves. */
export function placeOfStep(step: Step, { siteId, partnerId }: Begun): string {
  const search = new URLSearchParams({ step })
  if (siteId !== undefined) search.set('with', String(siteId))
  if (partnerId !== undefined) search.set('partner', partnerId)
  return `/onboarding?${search}`
}
