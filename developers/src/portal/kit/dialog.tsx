import { createContext, useContext, useEffect, useId, useRef, useState, type ReactNode } from 'react'

const Busy = createContext<(isBusy: boolean) => void>(() => undefined)

/** Keeps a dialog open while what it asked for is being sent: to leave it would not take that back. */
export function useBusy(isBusy: boolean): void {
  const tell = useContext(Busy)
  useEffect(() => tell(isBusy), [tell, isBusy])
}

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
  const [isBusy, setIsBusy] = useState(false)
  const close = isBusy ? undefined : onClose
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
      onKeyDown={(event) => event.key === 'Escape' && close === undefined && event.preventDefault()}
      onCancel={(event) => {
        event.preventDefault()
        close?.()
      }}
    >
      <div className="head">
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" className="button small" onClick={close} aria-label="Close" aria-disabled={isBusy}>
            <span aria-hidden>✕</span>
          </button>
        )}
      </div>
      <Busy value={setIsBusy}>{children}</Busy>
    </dialog>
  )
}
