import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import { proofPdf, proofPng } from '../platform/proofs/proof-sheet.ts'

/**
 * The files behind the proofs of the demo data. There are thousands and hardly any is ever opened, so each is drawn
 * when its first link is asked for. All revisions of a line show the same.
 */
const keyForm = /^demo\/proofs\/(\d+)-(\d+)\.(pdf|png)$/

/** Where the demo data's proof of a line is, and the preview of it. */
export function demoProofKeys(orderNumber: number, lineNumber: number): { objectKey: string; renditionKey: string } {
  const key = `demo/proofs/${orderNumber}-${lineNumber}`
  return { objectKey: `${key}.pdf`, renditionKey: `${key}.png` }
}

/** The store, in which the files of demo proofs are whenever a link to them is made. */
export function withDemoProofs(store: ObjectStore, queries: Queries): ObjectStore {
  const present = new Map<string, Promise<void>>()

  async function drawIfMissing(key: string): Promise<void> {
    const [, orderNumber, lineNumber, kind] = keyForm.exec(key) ?? []
    if (kind === undefined || (await store.head(key))) return
    const line = await queries.row<{
      itemNumber: number | null
      productName: string
      jobName: string | null
      quantity: number
      updatedOn: string
    }>(sql`
      select item_number, product_name, job_name, quantity, updated_on from order_line
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    if (!line) return
    const sheet = {
      orderNumber: Number(orderNumber),
      itemNumber: line.itemNumber,
      productName: line.productName,
      jobName: line.jobName,
      quantity: line.quantity,
      drawnOn: new Date(line.updatedOn),
    }
    await store.write(key, kind === 'pdf' ? proofPdf(sheet) : proofPng(sheet))
  }

  return {
    ...store,
    presignGet: async (key, options) => {
      let drawn = present.get(key)
      if (!drawn) {
        drawn = drawIfMissing(key)
        present.set(key, drawn)
        drawn.catch(() => present.delete(key))
      }
      await drawn
      return store.presignGet(key, options)
    },
  }
}
