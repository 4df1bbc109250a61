import { useEffect, useRef } from 'react'

/** What a page lets people do now, under the name that the page itself gives it. */
export type Offer = {
  name: string
  /** of what, where the page shows several of the kind */
  about?: string | undefined
  act: () => void
}

const shown: { current: readonly Offer[] }[] = []

/** Lets what is offered be found in the search too, while it is on the page. */
export function useOffers(offers: readonly Offer[]): void {
  const own = useRef(offers)
  useEffect(() => {
    own.current = offers
  })
  useEffect(() => {
    shown.push(own)
    return () => void shown.splice(shown.indexOf(own), 1)
  }, [])
}

/** What the page offers at this moment. */
export function offersNow(): readonly Offer[] {
  return shown.flatMap(({ current }) => current)
}
