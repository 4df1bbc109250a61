import { Anchor, type AnchorProps } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useMay } from '../api/session.ts'
import { useEnvironment } from '../shell/environment.ts'
import { readsOf } from '../shell/navigation.ts'

/** The address of a page of this environment: `/orders/1000123` → `/production/orders/1000123?site=101`. The site filter stays. */
export function usePlace(): (path: string) => string {
  const environment = useEnvironment()
  const { site } = useSearch({ strict: false }) as { site?: number }
  return (path) => {
    const [at, query] = path.split('?', 2)
    const search = new URLSearchParams(query)
    if (site !== undefined && !search.has('site')) search.set('site', String(site))
    const said = search.toString()
    return `/${environment}${at}${said && `?${said}`}`
  }
}

/** Goes to a page of this environment. */
export function useGo(): (path: string) => void {
  const router = useRouter()
  const place = usePlace()
  return (path) => router.history.push(place(path))
}

type AtProps = { to: string } & AnchorProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'color' | 'style'>

/** A link to a page of this environment: `<At to="/orders/1000123">`. Who may not read the page is not led there. */
export function At(props: AtProps) {
  const may = useMay()
  const reads = readsOf(props.to)
  return reads && !may(reads) ? <span className={props.className}>{props.children}</span> : <Leading {...props} />
}

function Leading({ to, onClick, ...props }: AtProps) {
  const router = useRouter()
  const href = usePlace()(to)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
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
    router.history.push(href)
  }
  return <Anchor href={href} onClick={follow} inherit {...props} />
}
