/** Prints PDF documents that the service draws. */

/** How long a printed document stays in the page; the print window of the browser reads it meanwhile. */
const kept = 10 * 60_000

/**
 * Opens the browser's print window with a document: `print(await call('drawJobTickets', …))`. Resolves once it is open.
 * Browsers open one window at a time and do not tell when it closes: a second document is only printed when a person
 * asks for it. The focus stays where it is, so that work goes on there afterwards.
 */
export function print(pdf: Blob): Promise<void> {
  const url = URL.createObjectURL(pdf)
  const frame = document.createElement('iframe')
  frame.title = 'Document to print'
  frame.style.display = 'none'
  frame.src = url
  const { promise, resolve } = Promise.withResolvers<void>()
  frame.addEventListener('load', () => {
    frame.contentWindow?.print()
    window.setTimeout(() => {
      frame.remove()
      URL.revokeObjectURL(url)
    }, kept)
    resolve()
  })
  document.body.append(frame)
  return promise
}
