import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { Stores } from '../files/stores.ts'
import { headOf } from '../files/artwork-fault.ts'
import { dropStrays, noteStrays } from '../files/stray-objects.ts'
import { forUpdate, markAttached, reservedUpload, type ReservedUpload } from '../print-files/reserve-upload.ts'
import { giveOutProof, proofObjects, type ProofObjects } from './give-out-proof.ts'
import { publishStep } from './publish-step.ts'

/** The reservations of the line that a PDF and the PNG rendered from it were uploaded to. */
export type ProofUploads = { file: string; preview: string }

/** The first bytes of every file of the format, which partners rely on. */
const pdfSignature = Buffer.from('%PDF-')
const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * Publishes an uploaded revision of a line's proof. The uploads are copied and checked before the transaction, as print
 * files are (`attach-print-file.ts`). A refusal leaves both reservations as they were.
 */
export async function publishUploadedProof(
  { database, objectStore }: Stores,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  uploads: ProofUploads,
) {
  const { statements } = database
  const early = await refusedEarly(statements, orderNumber, lineNumber)
  if (early) return early
  const names = [uploads.file, uploads.preview]
  const [file, preview] = await Promise.all(
    names.map((name) => statements.row<ReservedUpload>(reservedUpload(change.actor, orderNumber, lineNumber, name))),
  )
  if (!file || !preview || uploads.file === uploads.preview) return reservationNotUsable

  const files = proofObjects(orderNumber, lineNumber)
  await noteStrays(statements, Object.values(files))
  const settled = await Promise.all([
    objectStore.settle(file.objectKey, files.object),
    objectStore.settle(preview.objectKey, files.rendition),
  ])
  const unfit = settled.includes(undefined) ? reservationNotUsable : await wrongKind(objectStore, files)
  const uploaded = [file.objectKey, preview.objectKey]
  const outcome =
    unfit ??
    (await database.change(async (tx) => {
      const published = await giveOutProof(tx, change, orderNumber, lineNumber, files)
      if ('refused' in published) return published
      return (await useUp(tx, change, orderNumber, lineNumber, names, uploaded)) ?? published
    }))
  await dropStrays(objectStore, 'done' in outcome ? uploaded : Object.values(files))
  return outcome
}

const reservationNotUsable = { refused: 'reservation_not_usable' } as const

/**
 * The line's lock decides races: one call finds the reservations unused, the others find them used. The uploads become
 * strays.
 */
async function useUp(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  names: readonly string[],
  objectKeys: readonly string[],
) {
  for (const name of names.toSorted()) {
    if (!(await tx.row(reservedUpload(change.actor, orderNumber, lineNumber, name, forUpdate))))
      return reservationNotUsable
  }
  await Promise.all([noteStrays(tx, objectKeys), markAttached(tx, names, change.now)])
  return undefined
}

/** Refuses early what the verb would refuse, so that nothing is copied for it. */
async function refusedEarly(queries: Queries, orderNumber: number, lineNumber: number) {
  const line = await queries.row<{ proofStatus: ProofStatus | null }>(sql`
    select proof_status from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  if (!line) return { refused: 'line_not_found' } as const
  const next = await publishStep(queries, orderNumber, lineNumber, line.proofStatus)
  return 'refused' in next ? next : undefined
}

async function wrongKind(objectStore: ObjectStore, files: ProofObjects) {
  if (!(await beginsWith(objectStore, files.object, pdfSignature))) return { refused: 'proof_file_not_pdf' } as const
  if (!(await beginsWith(objectStore, files.rendition, pngSignature))) {
    return { refused: 'proof_preview_not_png' } as const
  }
  return undefined
}

async function beginsWith(objectStore: ObjectStore, objectKey: string, signature: Buffer): Promise<boolean> {
  const head = await headOf(objectStore, objectKey)
  return head.subarray(0, signature.length).equals(signature)
}
