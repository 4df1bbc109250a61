import { townLine } from '../kit/address.ts'

type Place = {
  name: string | null
  company: string | null
  address1: string | null
  address2: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string | null
  phone: string | null
}

/** An address, a line below the other. */
export function Address({ place }: { place: Place | null }) {
  if (!place) return <span>–</span>
  const lines = [place.name, place.company, place.address1, place.address2, townLine(place), place.country, place.phone]
  return (
    <address style={{ fontStyle: 'normal' }}>
      {lines.filter(Boolean).map((line, at) => (
        <div key={at} dir="auto">
          {line}
        </div>
      ))}
    </address>
  )
}
