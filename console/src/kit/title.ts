import { useEffect } from 'react'

/** Names the browser's tab. Production and sandbox have orders of the same numbers, and tabs that must not be taken for each other. */
export function useTitle(title: string | undefined): void {
  // The same page may be shown of the other environment next, under the same title.
  useEffect(() => {
    if (title === undefined) return
    const isSandbox = window.location.pathname.startsWith('/sandbox/')
    document.title = `${title} · ${isSandbox ? 'Sandbox · ' : ''}Partner Commerce`
  })
}
