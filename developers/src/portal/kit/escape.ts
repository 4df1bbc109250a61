import { useEffect, useRef, type RefObject } from 'react'

/** Leaves something by Escape while the keyboard is in it. */
export function useEscape(within: RefObject<HTMLElement | null>, leave: () => void, isOn: boolean): void {
  const newest = useRef(leave)
  useEffect(() => {
    newest.current = leave
  })
  useEffect(() => {
    const element = within.current
    if (!isOn || !element) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      newest.current()
    }
    element.addEventListener('keydown', press)
    return () => element.removeEventListener('keydown', press)
  }, [within, isOn])
}
