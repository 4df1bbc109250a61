import type { UrlState } from '../kit/filters.tsx'

/** The address of the same list with a record chosen: its detail opens beside the list. */
export function withChosen(state: UrlState, id: string): string {
  const search = new URLSearchParams(Object.entries(state).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  search.set('chosen', id)
  return `/support?${search}`
}
