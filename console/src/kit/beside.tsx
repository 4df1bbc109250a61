import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import classes from './beside.module.css'
import { useKeys } from './keys.ts'

/** A list, and beside it the detail of the record chosen in it; below each other where the page is narrow. */
export function Beside({
  children,
  title,
  of = title,
  detail,
  onClose,
  isFollowing = false,
}: {
  children: ReactNode
  /** undefined = nothing is chosen */
  title: string | undefined
  /** what tells the record from others, where the title does not */
  of?: string | undefined
  detail: ReactNode
  onClose: () => void
  /** the detail follows the keyboard through the list, and leaves it there */
  isFollowing?: boolean
}) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element>(null)
  const before = useRef(of)
  useEffect(() => {
    const isOpened = of !== undefined && of !== before.current
    const wasClosed = of === undefined && before.current !== undefined
    before.current = of
    // Far behind a list that grows, the detail is reached by no key: the keyboard goes there, and comes back.
    if (isOpened && !isFollowing && !heading.current?.closest('aside')?.contains(document.activeElement)) {
      opener.current = document.activeElement
      heading.current?.focus({ preventScroll: true })
    }
    if (wasClosed && opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
  }, [of, isFollowing])
  useKeys(title === undefined ? {} : { Escape: onClose })
  return (
    <div className={classes.both} data-open={title !== undefined || undefined}>
      <div className={classes.list}>{children}</div>
      {title !== undefined && (
        <aside className={classes.detail} aria-labelledby={id}>
          <div className={classes.head}>
            <h2 id={id} ref={heading} tabIndex={-1}>
              {title}
            </h2>
            <ActionIcon onClick={onClose} aria-label="Close the detail">
              <IconX size={16} />
            </ActionIcon>
          </div>
          {detail}
        </aside>
      )}
    </div>
  )
}
