import { At } from '../kit/at.tsx'
import { useUrlState } from '../kit/filters.tsx'

/** The step of an onboarding from which somebody came to this page, as the address of the page keeps it. */
export function useWayBack(): string | undefined {
  const [{ back }] = useUrlState()
  return back?.startsWith('/onboarding?') ? back : undefined
}

/** An address that knows the way back. */
export function withWayBack(place: string, back: string | undefined): string {
  if (back === undefined) return place
  return `${place}${place.includes('?') ? '&' : '?'}${new URLSearchParams({ back })}`
}

/** Leads back to the onboarding; nothing for who did not come from there. */
export function WayBack() {
  const back = useWayBack()
  return (
    back !== undefined && (
      <>
        <At to={back}>Back to the onboarding</At> ·{' '}
      </>
    )
  )
}
