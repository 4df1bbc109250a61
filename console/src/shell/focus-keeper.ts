import { useEffect } from 'react'

/** how long a component has to give the keyboard a place of its own choice */
const grace = 200

/**
 * What has the keyboard may vanish: a verb is gone once it is done, a selection is empty once it is held. The keyboard then
 * goes on beside the place where it was, not at the top of the page.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let path: Element[] = []
    let asked = 0
    const remember = ({ target }: FocusEvent) => {
      path = []
      for (let each = target as Element | null; each && each !== document.body; each = each.parentElement)
        path.push(each)
    }
    const restore = () => {
      const [last] = path
      // Who pressed beside everything wanted so, and a button that waits comes back.
      if (document.activeElement !== document.body || last === undefined || last.isConnected) return
      const place = path.find((each) => each.isConnected)
      const next = place && place.id !== 'page' ? place.querySelector<HTMLElement>(reachable) : undefined
      const heading = document.querySelector<HTMLElement>('#page h1')
      ;(next ?? heading)?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || path[0]?.isConnected !== false) return
      window.clearTimeout(asked)
      asked = window.setTimeout(restore, grace)
    })
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
      window.clearTimeout(asked)
    }
  }, [])
}

const reachable = [
  'button:not(:disabled, [tabindex="-1"])',
  'a[href]',
  'input:not(:disabled)',
  'textarea:not(:disabled)',
  '[tabindex="0"]',
].join()
