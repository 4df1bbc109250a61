import { useEffect, useRef } from 'react'

type Keys = { current: Readonly<Record<string, () => void>>; isFrame: boolean }

/** What keys do now: of those of the page the first counts, and those of the frame come last. */
const shown: Keys[] = []

/**
 * What keys do on a page: `{ j: next, k: previous }`. They do nothing while somebody types, or where a dialog is open.
 * @param isFrame they are those of the frame of every page, so the page's own count before
 */
export function useKeys(keys: Keys['current'], isFrame = false): void {
  const own = useRef<Keys>({ current: keys, isFrame })
  useEffect(() => {
    own.current.current = keys
  })
  useEffect(() => {
    const mine = own.current
    if (shown.length === 0) window.addEventListener('keydown', press)
    shown.push(mine)
    return () => {
      shown.splice(shown.indexOf(mine), 1)
      if (shown.length === 0) window.removeEventListener('keydown', press)
    }
  }, [])
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
  const target = event.target as HTMLElement
  if (target.isContentEditable || isTyped(target)) return
  if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return
  // Enter and Space press what has the focus, and arrows move a slider or go from choice to choice.
  if ((event.key === 'Enter' || event.key === ' ') && /^(BUTTON|A|INPUT)$/.test(target.tagName)) return
  if (event.key.startsWith('Arrow') && target.tagName === 'INPUT') return
  const knowing = shown.filter(({ current }) => Object.hasOwn(current, event.key))
  const keys = knowing.find(({ isFrame }) => !isFrame) ?? knowing[0]
  if (!keys) return
  event.preventDefault()
  keys.current[event.key]!()
}

/** A letter typed here is meant for the field. Sliders, boxes and choices take none. */
function isTyped(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement) return !['range', 'radio', 'checkbox'].includes(target.type)
  return /^(TEXTAREA|SELECT)$/.test(target.tagName)
}
