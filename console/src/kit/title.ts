import { useEffect } from 'react'
import { useEnvironment } from '../shell/environment.ts'

/** Names the browser's tab. Production and sandbox have orders of the same numbers, and tabs that must not be taken for each other. */
export function useTitle(title: string | undefined): void {
  const environment = useEnvironment()
  useEffect(() => {
    if (title === undefined) return
    document.title = `${title} · ${environment === 'sandbox' ? 'Sandbox · ' : ''}Partner Commerce`
  }, [title, environment])
}
