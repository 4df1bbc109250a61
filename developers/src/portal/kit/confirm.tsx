import { useState, type ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

/** A button that first shows a form in front of the page. */
export function Asking({
  label,
  title = label,
  name,
  className = 'button',
  children,
}: {
  label: string
  title?: string
  /** what the button is called where its label is not enough */
  name?: string
  className?: string
  children: (close: () => void) => ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}
