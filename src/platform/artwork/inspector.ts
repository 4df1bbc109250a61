import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { ArtworkEngine } from '../../artwork/engine.ts'
import { finding } from '../../artwork/findings/finding.ts'
import type { Transaction } from '../../database/database.ts'
import { startWorker, type RunningWorker } from '../../database/worker.ts'
import type { Finding } from '../../vocabulary/artwork.ts'
import type { Clock, PartnerTime } from '../../vocabulary/clock.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { Stores } from '../files/stores.ts'
import { artworkQueued } from './artwork-channels.ts'
import { claimInspections, giveBackInspection, type InspectionClaim, renewLeases } from './claim-inspections.ts'
import {
  assertHeld,
  clearPictures,
  endInspection,
  keepPicture,
  LeaseLost,
  recordFindings,
  type Result,
} from './record-inspection.ts'
import { reuseResult } from './reuse-result.ts'

/** What a sandbox does differently with inspections. */
export type SandboxInspections = {
  partnerTime: PartnerTime
  /** findings in place of what is in the file, or a delay */
  intercept: (
    claim: Pick<InspectionClaim, 'fileName' | 'claims'>,
  ) => { findings: Finding[]; readable: boolean } | { postponeSeconds: number } | undefined
  /** further writes in the transaction that ends the inspection of an order's file */
  alongside: (tx: Transaction, orderNumber: number) => Promise<void>
}

const pollMilliseconds = 1_000
const renewMilliseconds = 2_000
/** A file whose inspection failed so often ends unreadable: it may be what brings the service down. */
const failuresMax = 3
/** The pauses after failures in a row: longer each time. */
const retrySeconds = (failures: number): number => Math.min(2 ** (failures - 1), 60)

/**
 * Inspects print files and the files of checks. A claim is a lease, which is renewed while the engine works. When an
 * inspector dies, its lease lapses and another one begins anew with a higher claim number. Findings are recorded as soon
 * as they are there, pictures one by one, and last how it ended.
 */
export function startArtworkInspector(
  parts: Stores & {
    engine: Pick<ArtworkEngine, 'version' | 'inspect'>
    clock: Clock
    log: Logger
    sandbox?: SandboxInspections | undefined
  },
): RunningWorker {
  const { database, objectStore, engine, clock, log, sandbox } = parts
  const leased = new Set<InspectionClaim>()
  let outagesInARow = 0

  async function work(claim: InspectionClaim, closing: AbortSignal): Promise<void> {
    leased.add(claim)
    try {
      await inspect(claim, closing)
      outagesInARow = 0
    } catch (error) {
      if (!(error instanceof LeaseLost)) await giveBack(claim, error, closing)
    } finally {
      leased.delete(claim)
      // Its partner's next file may have waited for it.
      worker.wake()
    }
  }

  async function inspect(claim: InspectionClaim, closing: AbortSignal): Promise<void> {
    const forced = sandbox?.intercept(claim)
    if (forced && 'postponeSeconds' in forced) {
      return giveBackInspection(database.statements, claim, forced.postponeSeconds, false)
    }
    if (claim.claims > 1) await database.transaction((tx) => clearPictures(tx, claim))
    if (claim.failures > failuresMax) {
      return end(claim, { isReadable: false, mediaType: null, findings: [finding('too_complex')], pages: [] })
    }
    if (forced && !forced.readable) {
      return end(claim, { isReadable: false, mediaType: null, findings: forced.findings, pages: [] })
    }
    const former = forced ? undefined : await reuseResult(parts, claim, engine.version)
    if (former) return end(claim, former.result, former.sha256)

    const { bytes, sha256 } = hashing(claim)
    const { artworkTypes: types, profile, sizeBytes: size } = claim
    let result: Result | undefined
    let isCutShort = false
    for await (const report of engine.inspect({ bytes, size, types, profile }, closing)) {
      if (report.kind === 'picture') {
        await keepPicture(parts, claim, report, async (objectKey) => {
          await objectStore.write(objectKey, report.png)
          return true
        })
        continue
      }
      isCutShort ||= report.isCutShort === true
      if (report.kind === 'findings') {
        const { readable: isReadable, mediaType, findings, pages } = report
        // Its name says nothing about a file that cannot be read.
        result =
          forced && isReadable
            ? { isReadable: true, mediaType, findings: forced.findings, pages }
            : { isReadable, mediaType, findings, pages }
      } else if (result && !forced) {
        result = { ...result, findings: [...result.findings, ...report.findings] }
      }
      if (result) {
        const known = result
        await database.transaction((tx) => recordFindings(tx, claim, known))
      }
    }
    closing.throwIfAborted()
    if (!result) throw new Error('the engine told no findings')
    await end(claim, result, forced || isCutShort ? undefined : sha256())
  }

  /** The bytes of an object, read when they are wanted, and their hash once all are read. */
  function hashing(claim: InspectionClaim): { bytes: Readable; sha256: () => string | undefined } {
    const hash = createHash('sha256')
    let isWhole = false
    async function* pieces(): AsyncGenerator<Buffer> {
      const stored = await objectStore.read(claim.objectKey)
      if (!stored) {
        await database.transaction((tx) => assertHeld(tx, claim))
        throw new Error('the object of a file to be inspected is missing')
      }
      for await (const piece of stored) {
        hash.update(piece as Buffer)
        yield piece as Buffer
      }
      isWhole = true
    }
    return {
      bytes: Readable.from(pieces(), { objectMode: false }),
      sha256: () => (isWhole ? hash.digest('hex') : undefined),
    }
  }

  /** @param sha256 of the content, if the result may be used again for it */
  async function end(claim: InspectionClaim, result: Result, sha256?: string): Promise<void> {
    const { partnerId, orderNumber } = claim
    const now = sandbox && partnerId !== null ? await sandbox.partnerTime(partnerId, clock()) : clock()
    const reusable = sha256 === undefined ? undefined : { sha256, engineVersion: engine.version }
    await database.transaction(async (tx) => {
      await endInspection(tx, claim, result, reusable, now)
      if (orderNumber !== null) await sandbox?.alongside(tx, orderNumber)
    })
  }

  async function giveBack(claim: InspectionClaim, error: unknown, closing: AbortSignal): Promise<void> {
    const { inspectionId, claims } = claim
    const isItsFault = !closing.aborted && !(error instanceof Outage)
    if (isItsFault) log.error({ inspectionId, claims, err: error }, 'the inspection of a file failed')
    else if (!closing.aborted) log.warn({ inspectionId, claims, err: error }, 'an outage delays an inspection')
    if (!isItsFault && !closing.aborted) outagesInARow += 1
    const seconds = closing.aborted ? 0 : retrySeconds(isItsFault ? claim.failures : outagesInARow)
    await giveBackInspection(database.statements, claim, seconds, isItsFault).catch((problem: Error) =>
      log.warn({ err: problem }, 'an inspection was not given back; its lease will lapse'),
    )
  }

  const worker = startWorker({
    log,
    failed: 'files to be inspected cannot be claimed; trying again soon',
    pollMilliseconds,
    hints: { database, channel: artworkQueued },
    // The engine inspects one for each processor, and production shares it with the sandbox, which leaves one to it.
    // In production another one may be read or written meanwhile.
    slots: sandbox ? Math.max(1, availableParallelism() - 1) : availableParallelism() + 1,
    round: async ({ free, begin, closing }) => {
      const claims = await claimInspections(database.statements, free, leased)
      for (const claim of claims) begin(() => work(claim, closing))
      return claims.length === free
    },
  })
  // Not a worker: a renewal that hangs must not delay the next one.
  const renewing = setInterval(() => {
    renewLeases(database.statements, [...leased]).catch((error: Error) =>
      log.warn({ err: error }, 'leases of inspections were not renewed'),
    )
  }, renewMilliseconds)

  return {
    lastRoundOn: worker.lastRoundOn,
    close: async () => {
      await worker.close()
      clearInterval(renewing)
    },
  }
}
