import { useEffect, useId, useRef, type ReactNode } from 'react'

/** A list, and beside it the record chosen in it; below each other where the page is narrow. Escape closes the record. */
export function Beside({
  children,
  title,
  of,
  detail,
  onClose,
}: {
  children: ReactNode
  title: string
  /** what tells the record from others; undefined = nothing is chosen */
  of: string | undefined
  detail: ReactNode
  onClose: () => void
}) {
  const id = useId()
  const aside = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element>(null)
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    const wasOpen = before.current !== undefined
    const isOther = of !== before.current
    before.current = of
    if (of !== undefined && isOther && !aside.current?.contains(document.activeElement)) {
      if (!wasOpen || document.activeElement !== document.body) opener.current = document.activeElement
      heading.current?.focus({ preventScroll: true })
      void aside.current?.scrollIntoView({ block: 'nearest' })
    }
    if (of === undefined && wasOpen && opener.current instanceof HTMLElement && opener.current.isConnected) {
      opener.current.focus()
    }
  }, [of])
  useEffect(() => {
    if (of === undefined) return undefined
    const close = (event: KeyboardEvent) => {
      // A dialog in front of the page has its own Escape.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) onClose()
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [of, onClose])
  return (
    <div className="both" data-open={of !== undefined || undefined}>
      <div className="list">{children}</div>
      {of !== undefined && (
        <aside className="detail" aria-labelledby={id} ref={aside}>
          <div className="head">
            <h2 id={id} ref={heading} tabIndex={-1}>
              {title}
            </h2>
            <button type="button" className="button small" onClick={onClose} aria-label="Close the detail">
              <span aria-hidden>✕</span>
            </button>
          </div>
          {detail}
        </aside>
      )}
    </div>
  )
}
