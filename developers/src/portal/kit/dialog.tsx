import { useEffect, useId, useRef, type ReactNode } from 'react'

/** Asks something in front of the page. The browser keeps the keyboard inside, and gives it back afterwards. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  /** undefined = it cannot be left */
  onClose?: () => void
  children: ReactNode
}) {
  const id = useId()
  const own = useRef<HTMLDialogElement>(null)
  const opener = useRef(document.activeElement)
  useEffect(() => {
    own.current?.showModal()
    const from = opener.current
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus()
    }
  }, [])
  return (
    <dialog
      ref={own}
      className="dialog"
      aria-labelledby={id}
      // A second Escape would close it all the same.
      onKeyDown={(event) => event.key === 'Escape' && onClose === undefined && event.preventDefault()}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div className="head">
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" className="button small" onClick={onClose} aria-label="Close">
            <span aria-hidden>✕</span>
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}
