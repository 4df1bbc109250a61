import { useRef, useState } from 'react'
import { announce } from './announce.ts'

/** Copies a text. Where the browser does not let the page do it, the text is chosen for a press of the keyboard. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [told, setTold] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    const says = isCopied ? 'Copied' : 'Not copied: choose it and press Ctrl C'
    setTold(says)
    announce(isCopied ? `${what} copied` : says)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setTold(undefined), 2_500)
  }
  return (
    <button
      type="button"
      className="button small"
      aria-label={told === undefined ? `Copy ${what}` : undefined}
      onClick={() => void copy()}
    >
      {told ?? 'Copy'}
    </button>
  )
}
