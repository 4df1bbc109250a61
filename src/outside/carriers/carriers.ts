/**
 * What the service asks of a company that speaks to carriers, however it is reached: what they charge for a parcel, and
 * their labels. Which of their services a site offers, and at what markup, the platform decides.
 */
export type Carriers = {
  /**
   * Every offer for a parcel; none where no carrier takes it there, or the company does not know the address.
   * @throws Outage when the company cannot answer
   */
  offers: (parcel: OfferedParcel) => Promise<readonly CarrierOffer[]>

  /**
   * Tells the company of a parcel that shall get a label. This costs nothing.
   * @param reference ours, shown in the company's own lists
   * @throws Outage
   */
  announce: (parcel: LabelledParcel, reference: string) => Promise<Announced | CarrierRefusal>

  /**
   * Buys the label of an announced parcel. Bought again, it answers with the label that was bought first.
   * @throws Outage
   */
  buy: (carrierShipmentId: string, offerId: string) => Promise<BoughtLabel | CarrierRefusal>

  /**
   * Asks the carrier to take a label back that was not used.
   * @throws Outage
   */
  giveBack: (carrierShipmentId: string) => Promise<{ accepted: true } | CarrierRefusal>
}

/** Where a parcel leaves or arrives, as far as its price needs it. */
export type Place = {
  /** ISO 3166-1 alpha-2 */
  countryCode: string
  /** the part of the ISO 3166-2 code after the hyphen; '' where there is none */
  stateCode: string
  postalCode: string
}

export type PostalAddress = Place & {
  name: string
  company: string | null
  address1: string
  address2: string | null
  city: string
  phone: string | null
  email: string | null
}

export type OfferedParcel = { from: Place; to: Place; /** decimal */ weightOunces: string }

export type LabelledParcel = { from: PostalAddress; to: PostalAddress; /** decimal */ weightOunces: string }

export type CarrierOffer = {
  offerId: string
  /** the carrier and its service in the company's words, such as `USPS` and `GroundAdvantage` */
  carrier: string
  service: string
  /** decimal */
  price: string
  /** ISO 4217 */
  currency: string
  /** business days on the way; null = not told */
  days: number | null
}

export type Announced = { carrierShipmentId: string; offers: readonly CarrierOffer[] }

export type BoughtLabel = {
  trackingNumber: string
  /** null = none */
  trackingUrl: string | null
  /** decimal */
  price: string
  currency: string
  pdf: Buffer
}

/** Why a carrier does not do what was asked, in its own words. */
export type CarrierRefusal = { refused: string }
