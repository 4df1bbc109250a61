import { TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { useEnvironment } from '../shell/environment.ts'
import classes from './scan.module.css'

/** What a scanner reads from the papers of the works. */
export type Scanned = { orderNumber: number; lineNumber: number | undefined }

/**
 * Reads the code of a job ticket, which leads to its line, or what is printed beside it: `1010033-2`, or the number of an order.
 * @returns in words why it is neither
 */
export function readScan(text: string, environment: string): Scanned | string {
  const link = /^https?:\/\/[^/]+\/(\w+)\/orders\/(\d{1,15})(?:\/lines\/(\d{1,6}))?\/?$/i.exec(text)
  if (link && link[1]!.toLowerCase() !== environment)
    return `This ticket is of ${link[1]}, and this page shows ${environment}.`
  const [order, line] = link ? link.slice(2) : (/^(\d{1,15})(?:-(\d{1,6}))?$/.exec(text)?.slice(1) ?? [])
  if (order === undefined) return `“${text.slice(0, 80)}” is no job ticket and no order.`
  return { orderNumber: Number(order), lineNumber: line === undefined ? undefined : Number(line) }
}

/** The field into which a scanner types. What begins like a code goes there, wherever the focus is, unless somebody types. */
export function ScanField({
  label,
  onScan,
  fieldRef,
}: {
  label: string
  onScan: (scanned: Scanned) => void
  fieldRef?: RefObject<HTMLInputElement | null>
}) {
  const environment = useEnvironment()
  const own = useRef<HTMLInputElement>(null)
  const field = fieldRef ?? own
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  useScannedKeys(field)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const said = text.trim()
    if (said === '') return
    setText('')
    const scanned = readScan(said, environment)
    if (typeof scanned === 'string') return setFault(scanned)
    setFault(undefined)
    onScan(scanned)
  }
  return (
    <form onSubmit={send} className={`${classes.scan} no-print`}>
      <TextInput
        ref={field}
        aria-label={label}
        placeholder={label}
        leftSection={<IconBarcode size={16} aria-hidden />}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {fault !== undefined && <WrongScan>{fault}</WrongScan>}
    </form>
  )
}

/** Loud, since the person looks at the ticket and not at the page. */
export function WrongScan({ children }: { children: string }) {
  return (
    <p role="alert" className={classes.wrong}>
      {children} Nothing was changed.
    </p>
  )
}

function useScannedKeys(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    let before = ''
    const press = (event: KeyboardEvent) => {
      const last = before
      before = event.key
      if (event.metaKey || event.ctrlKey || event.altKey) return
      // A code is a number or an address. The keys G and H lead to another page.
      if (!/^\d$/.test(event.key) && !(event.key === 'h' && last !== 'g')) return
      const target = event.target as HTMLElement
      if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
      if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return
      event.stopPropagation()
      field.current?.focus()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [field])
}
