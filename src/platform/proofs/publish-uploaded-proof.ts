import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { Change } from '../../vocabulary/change.ts'
import { noteStrays } from '../files/stray-objects.ts'
import type { LineRefusal, Outcome, Refused } from '../order-changes/change-order.ts'
import { giveOutProof, proofObjects, type PublishedProof } from './give-out-proof.ts'
import { proofSteps, type ProofRefusal } from './proof-states.ts'
import { forUpdate, reservedUpload, type ReservedUpload } from '../print-files/reserve-upload.ts'
import { step } from '../order-changes/state-table.ts'

/** The reservations of the line that a PDF and the PNG rendered from it were uploaded to. */
export type ProofUploads = { file: string; preview: string }

type UploadRefusal = Refused<'reservation_not_usable' | 'proof_file_not_pdf' | 'proof_preview_not_png'>

/** What every file of the kind begins with: partners are told that it is one. */
const pdfBeginning = Buffer.from('%PDF-')
const pngBeginning = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * Gives out a revision of a line's proof that was made elsewhere. The uploads are settled as print files are
 * (`attach-print-file.ts`), and checked for what they are before any row is locked. A refusal leaves both reservations
 * as they were.
 */
export async function publishUploadedProof(
  database: Database,
  store: ObjectStore,
  orderNumber: number,
  lineNumber: number,
  uploads: ProofUploads,
  change: Change,
): Promise<Outcome<PublishedProof, LineRefusal | Refused<ProofRefusal> | UploadRefusal>> {
  const { statements } = database
  const tooLate = await alreadyRefused(database, orderNumber, lineNumber)
  if (tooLate) return tooLate
  const names = [uploads.file, uploads.preview]
  const [file, preview] = await Promise.all(
    names.map((name) => statements.row<ReservedUpload>(reservedUpload(orderNumber, lineNumber, name))),
  )
  if (!file || !preview || uploads.file === uploads.preview) return { refused: 'reservation_not_usable' }

  const files = proofObjects(orderNumber, lineNumber)
  await noteStrays(statements, Object.values(files))
  const settled = await Promise.all([
    store.settle(file.objectKey, files.object),
    store.settle(preview.objectKey, files.rendition),
  ])
  const unfit = settled.includes(undefined) ? reservationNotUsable : await wrongKind(store, files)
  if (unfit) {
    await Promise.allSettled(Object.values(files).map((each) => store.remove(each)))
    return unfit
  }
  const uploaded = [file.objectKey, preview.objectKey]
  const outcome = await giveOutProof<UploadRefusal>(database, store, orderNumber, lineNumber, files, change, (tx) =>
    useUp(tx, orderNumber, lineNumber, names, uploaded, change.now),
  )
  if ('done' in outcome) await Promise.allSettled(uploaded.map((each) => store.remove(each)))
  return outcome
}

const reservationNotUsable = { refused: 'reservation_not_usable' } as const

/** The line's lock settles races: one finds the reservations unused, the others used. What is left of them is a stray. */
async function useUp(
  tx: Transaction,
  orderNumber: number,
  lineNumber: number,
  names: readonly string[],
  objectKeys: readonly string[],
  now: Date,
): Promise<UploadRefusal | undefined> {
  for (const name of names.toSorted()) {
    if (!(await tx.row(reservedUpload(orderNumber, lineNumber, name, forUpdate)))) return reservationNotUsable
  }
  await Promise.all([
    noteStrays(tx, objectKeys),
    tx.rows(sql`
      update artwork_reservation set attached_on = ${now} where reservation_name = any(${names}::uuid[])`),
  ])
  return undefined
}

/** What the transaction would refuse, so that nothing is copied for it. */
async function alreadyRefused(
  database: Database,
  orderNumber: number,
  lineNumber: number,
): Promise<Refused<ProofRefusal | 'line_not_found'> | undefined> {
  const line = await database.statements.row<{ proofStatus: ProofStatus | null }>(sql`
    select proof_status from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  if (!line) return { refused: 'line_not_found' }
  const next = step(proofSteps, line.proofStatus, 'publish')
  return 'refused' in next ? next : undefined
}

async function wrongKind(
  store: ObjectStore,
  files: { object: string; rendition: string },
): Promise<UploadRefusal | undefined> {
  if (!(await beginsWith(store, files.object, pdfBeginning))) return { refused: 'proof_file_not_pdf' }
  if (!(await beginsWith(store, files.rendition, pngBeginning))) return { refused: 'proof_preview_not_png' }
  return undefined
}

async function beginsWith(store: ObjectStore, objectKey: string, beginning: Buffer): Promise<boolean> {
  const stream = await store.read(objectKey)
  let read = Buffer.alloc(0)
  // Leaving the loop destroys the stream: the rest is not read.
  for await (const chunk of stream ?? []) {
    read = Buffer.concat([read, chunk as Buffer])
    if (read.length >= beginning.length) break
  }
  return read.subarray(0, beginning.length).equals(beginning)
}
