import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { useEnvironment } from '../shell/environment.ts'

export type Order = AnswerOf<'readOrder'>
export type Line = Order['lines'][number]
export type Shipment = Order['shipments'][number]

/** A line that is still to be made or to ship. */
export function isOpen(line: Line): boolean {
  return line.cancelledOn === null && line.shippedOn === null && line.productionStatus !== 'COMPLETE'
}

/** Whether there is something to print, or a file is drawn for it. */
export function hasArtwork({ artworkSource, printFiles }: Line): boolean {
  return artworkSource !== 'UPLOAD' || printFiles.length > 0
}

/** A new reference for what must happen only once; staff may write their own case number over it. */
export function newReference(): string {
  return `console-${crypto.randomUUID().slice(0, 8)}`
}

/**
 * A reference that stays until what it is for is done. Where the connection broke and nobody knows whether it was done, the
 * form that is opened again sends the same one, so it happens once.
 */
export function useReference(purpose: string): { reference: string; forget: () => void } {
  const key = `reference:${useEnvironment()}:${purpose}`
  const [reference] = useState(() => {
    const kept = sessionStorage.getItem(key) ?? newReference()
    sessionStorage.setItem(key, kept)
    return kept
  })
  return { reference, forget: () => sessionStorage.removeItem(key) }
}

/** How a line is named: by its product and job. */
export function nameOfLine({ lineNumber, productName, jobName }: Line): string {
  return `${lineNumber} · ${jobName ?? productName}`
}
