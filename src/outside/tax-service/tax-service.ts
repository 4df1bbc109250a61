/** What the service asks of a company that knows taxes: the percents that a destination levies on a sale. */
export type TaxService = {
  /**
   * null = the company does not know the address.
   * @throws Outage when the company cannot answer
   */
  percentsAt: (sale: Sale) => Promise<ServicePercents | null>
}

/** Where goods go that are sold in a currency. */
export type Sale = {
  /** ISO 4217 */
  currency: string
  to: {
    /** ISO 3166-1 alpha-2 */
    countryCode: string
    /** the part of the ISO 3166-2 code after the hyphen */
    stateCode: string
    postalCode: string
    city: string
    address1: string
  }
}

/** Decimals; '0' = untaxed. */
export type ServicePercents = { onGoods: string; onHandling: string; onDelivery: string }
