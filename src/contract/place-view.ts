import type { Static } from 'typebox'
import type { Place, ShipTo } from './ship-to.ts'

/** An address as stored: the members the sender gave, and no others. */
export type StoredPlace = { [Name in keyof Static<typeof ShipTo>]?: string }

/** Every key present, null where the sender gave nothing. */
export function placeView(place: StoredPlace): Static<typeof Place> {
  return {
    name: place.name ?? null,
    company: place.company ?? null,
    address1: place.address1 ?? null,
    address2: place.address2 ?? null,
    city: place.city ?? null,
    state: place.state ?? null,
    postalCode: place.postalCode ?? null,
    country: place.country ?? null,
    phone: place.phone ?? null,
  }
}
