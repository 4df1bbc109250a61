import { useEffect, useRef } from 'react'

/** Escape closes what is asked for, also while somebody types. A list that is open closes first. */
export function useEscape(close: () => void): void {
  const current = useRef(close)
  useEffect(() => {
    current.current = close
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if ((event.target as HTMLElement).getAttribute('aria-expanded') === 'true') return
      event.preventDefault()
      current.current()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [])
}
