import { useEffect, useRef } from 'react'

/**
 * Gives the keyboard back after something was sent: a button that waits is disabled, and the browser takes the focus
 * from it.
 */
export function useFocusBack(isPending: boolean, to: () => Element | null | undefined): void {
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body) {
      const element = to()
      if (element instanceof HTMLElement) element.focus()
    }
    wasPending.current = isPending
  })
}
