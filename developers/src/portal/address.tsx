import { useCallback, useMemo, useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from 'react'
import { isEnvironment, useEnvironment, type Environment } from './environment.ts'

/** Where one is: `/portal/{environment}/{page}?filters`. The address keeps all that a page shows. */

export const home = '/portal/'

export type Place = { environment: Environment | undefined; page: string }

const moved = 'portal:moved'

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener)
  window.addEventListener(moved, listener)
  return () => {
    window.removeEventListener('popstate', listener)
    window.removeEventListener(moved, listener)
  }
}

/** Goes to a path of the portal. @param how `replace` leaves no step to come back by */
export function goTo(to: string, how: 'push' | 'replace' = 'push'): void {
  if (to === location.pathname + location.search) return
  if (how === 'push') history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  window.dispatchEvent(new Event(moved))
}

export function usePlace(): Place {
  const path = useSyncExternalStore(subscribe, () => location.pathname)
  return useMemo(() => {
    const [first, page = ''] = path.slice(home.length).split('/').filter(Boolean)
    return isEnvironment(first) ? { environment: first, page } : { environment: undefined, page: first ?? '' }
  }, [path])
}

/** The part of the address that names filters and what is chosen. */
export type Filters = Readonly<Record<string, string | undefined>>

export function useFilters(): [filters: Filters, change: (changes: Filters, how?: 'push' | 'replace') => void] {
  const search = useSyncExternalStore(subscribe, () => location.search)
  const filters = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const change = useCallback<(changes: Filters, how?: 'push' | 'replace') => void>((changes, how = 'replace') => {
    goTo(location.pathname + changedSearch(changes), how)
  }, [])
  return [filters, change]
}

/** The filters of the address, changed: `?outcome=failed`. */
export function changedSearch(changes: Filters): string {
  const all = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value) all.set(name, value)
    else all.delete(name)
  }
  const text = all.toString()
  return text === '' ? '' : `?${text}`
}

/** `pathOf('sandbox', 'requests', { outcome: 'failed' })` */
export function pathOf(environment: Environment, page = '', filters: Filters = {}): string {
  const given = Object.entries(filters).filter((each): each is [string, string] => Boolean(each[1]))
  const search = new URLSearchParams(given).toString()
  return `${home}${environment}/${page}${search && `?${search}`}`
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** A link to another place of the portal, which does not load the page anew. */
export function Go({ to, onClick, children, ...rest }: LinkProps & { to: string }) {
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    goTo(to)
  }
  return (
    <a {...rest} href={to} onClick={go}>
      {children}
    </a>
  )
}

/** A link to a page of the same environment: `<At page="requests" filters={{ outcome: 'failed' }}>`. */
export function At({ page, filters, ...rest }: LinkProps & { page: string; filters?: Filters }) {
  return <Go {...rest} to={pathOf(useEnvironment(), page, filters)} />
}
