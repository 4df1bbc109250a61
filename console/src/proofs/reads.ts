import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Environment } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useEnvironment } from '../shell/environment.ts'
import { loadAhead } from './pictures.ts'
import { sheetsOf, type Sheet } from './sheets.ts'

/** A line of an order. */
export type At = { orderNumber: number; lineNumber: number }

export const orderOf = (environment: Environment, { orderNumber }: At) =>
  read(environment, 'readOrder', { path: { orderNumber } }, { live: ['order', 'line', 'inspection'] })
export const artworkOf = (environment: Environment, path: At) =>
  read(environment, 'readLineArtwork', { path }, { live: ['inspection', 'line'] })
export const reasonsOf = (environment: Environment, path: At) => read(environment, 'listOfferedDenialReasons', { path })
export const productOf = (environment: Environment, productId: string) =>
  read(environment, 'readProduct', { path: { productId } })

/** What lies on the desk for a line: its newest artwork and its newest proof, if there are any. */
export function firstLaid(sheets: readonly Sheet[]): { under: Sheet | undefined; over: Sheet | undefined } {
  const artwork = sheets.find(({ file, pages }) => file !== null && pages.length > 0)
  const proof = sheets.find(({ file }) => file === null)
  return artwork ? { under: artwork, over: proof } : { under: proof, over: undefined }
}

/** Reads the lines that come next, and loads their pictures, so that they show at once. */
export function useReadAhead(next: readonly At[]): void {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const may = useMay()
  const mayReadProducts = may('readProduct')
  const names = next.map(({ orderNumber, lineNumber }) => `${orderNumber}/${lineNumber}`).join(' ')
  useEffect(() => {
    const readOne = async (at: At) => {
      const [order, artwork] = await Promise.all([
        queries.fetchQuery(orderOf(environment, at)),
        queries.fetchQuery(artworkOf(environment, at)),
        queries.fetchQuery(reasonsOf(environment, at)),
      ])
      const line = order.lines.find(({ lineNumber }) => lineNumber === at.lineNumber)
      if (!line) return
      const product = mayReadProducts
        ? await queries.fetchQuery(productOf(environment, line.productId)).catch(() => undefined)
        : undefined
      const { under, over } = firstLaid(sheetsOf(line, artwork.files, product?.artworkProfile))
      await Promise.all([under, over].map((sheet) => sheet?.pages[0] && loadAhead(sheet.pages[0])))
    }
    // What cannot be read ahead is read when it is opened, and tells then why it fails.
    for (const at of next) readOne(at).catch(() => undefined)
    // The lines are the same as long as their names are.
  }, [names, environment, queries, mayReadProducts]) // eslint-disable-line react-hooks/exhaustive-deps
}

export function useLine(at: At) {
  const environment = useEnvironment()
  const may = useMay()
  const order = useQuery(orderOf(environment, at))
  const artwork = useQuery(artworkOf(environment, at))
  const line = order.data?.lines.find(({ lineNumber }) => lineNumber === at.lineNumber)
  const product = useQuery({
    ...productOf(environment, line?.productId ?? ''),
    enabled: line !== undefined && may('readProduct'),
    staleTime: 60_000,
  })
  return { order, artwork, product }
}
