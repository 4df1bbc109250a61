import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Stores } from '../files/stores.ts'
import { dropStrays, noteStrays } from '../files/stray-objects.ts'
import { drawProof } from './draw-proof.ts'
import type { ProvedFinding } from './files-to-prove.ts'
import { giveOutProof, proofObjects } from './give-out-proof.ts'
import { publishStep } from './publish-step.ts'
import { readLatestArtwork, readProofFiles, type ProofArtwork } from './read-proof-artwork.ts'
import { readProofFacts } from './read-proof-sheet.ts'

/**
 * Draws a new revision of a line's proof and publishes it for review. It shows the line's artwork, or says that none was
 * sent. The files are stored before the transaction that records them: a file without a record is removed as a stray, but
 * a record without its file would be a proof that nobody can open.
 */
export async function publishProof(
  { database, objectStore }: Stores,
  change: Change,
  orderNumber: number,
  lineNumber: number,
) {
  const { statements } = database
  const facts = await readFacts(statements, orderNumber, lineNumber)
  if ('refused' in facts) return facts
  const chosen = await readLatestArtwork(statements, orderNumber, lineNumber)
  if ('refused' in chosen) return chosen
  const newest = chosen.files.at(-1)
  const { files, finished } = await readProofFiles(objectStore, chosen.files)
  const { pdf, picture } = await drawProof({ ...facts, drawnOn: change.now, files, picture: finished === null })

  const objects = proofObjects(orderNumber, lineNumber)
  await noteStrays(statements, Object.values(objects))
  await Promise.all([
    objectStore.write(objects.object, pdf),
    objectStore.write(objects.rendition, (finished ?? picture)!),
  ])
  const outcome = await database.change((tx) =>
    giveOutProof(tx, change, orderNumber, lineNumber, objects, {
      findings: chosen.files.flatMap(listedOf),
      newestOn: newest && new Date(newest.attachedOn),
      refuse: () => refusedSince(tx, orderNumber, lineNumber, chosen.files),
    }),
  )
  if ('refused' in outcome) await dropStrays(objectStore, Object.values(objects))
  return outcome
}

/** Refuses early what the verb would refuse, so that nothing is drawn for it. */
async function readFacts(queries: Queries, orderNumber: number, lineNumber: number) {
  const line = await readProofFacts(queries, orderNumber, lineNumber)
  if (!line) return { refused: 'line_not_found' } as const
  const next = await publishStep(queries, orderNumber, lineNumber, line.proofStatus)
  return 'refused' in next ? next : line
}

/** Refuses what was drawn if the line's artwork is another by now: a file came, or what is known about one changed. */
async function refusedSince(tx: Transaction, orderNumber: number, lineNumber: number, drawn: readonly ProofArtwork[]) {
  const chosen = await readLatestArtwork(tx, orderNumber, lineNumber)
  if ('refused' in chosen) return chosen
  return isDeepStrictEqual(chosen.files, drawn) ? undefined : ({ refused: 'artwork_being_inspected' } as const)
}

function listedOf({ fileName, findings }: ProofArtwork): ProvedFinding[] {
  return findings.map(({ code, severity, page, subject, message }) => ({
    fileName,
    code,
    severity,
    page,
    subject,
    message,
  }))
}
