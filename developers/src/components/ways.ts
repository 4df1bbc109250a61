/** The ways through the site, which every page offers at its top. */
export const ways = [
  ['Guides', '/guides/first-order/'],
  ['Reference', '/reference/'],
  ['Changelog', '/guides/changelog/'],
  ['Portal', '/portal/'],
] as const
