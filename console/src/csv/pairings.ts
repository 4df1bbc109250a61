/** How the rows of a kind of file find what is there. */
export type Pairing = {
  /** these columns name the record */
  key: readonly string[]
  /** the file replaces all rows that are alike in these columns, so rows that it leaves out go; absent = such rows stay */
  replaces?: readonly string[]
  /** these columns only help who reads the file */
  told?: readonly string[]
  /** the difference between two columns is added to what is there, instead of replacing it */
  adds?: { from: string; to: string }
}

export const pairings = {
  products: { key: ['productId'] },
  variants: { key: ['variantId'] },
  prices: { key: ['productId', 'variantId', 'fromQuantity'], replaces: ['productId'] },
  stock: { key: ['variantId'], adds: { from: 'stockQuantity', to: 'newStockQuantity' } },
  users: { key: ['userId'] },
  rates: {
    key: ['shippingServiceId', 'zone', 'upToOunces'],
    replaces: ['shippingServiceId'],
    told: ['provider', 'serviceName'],
  },
  zones: { key: ['countryCode', 'stateCode', 'postalPrefix'], replaces: [] },
} as const satisfies Record<string, Pairing>
