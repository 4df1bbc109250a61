import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { openObjectFolder } from '../../src/outside/object-store/object-folder.ts'
import { putInProofing } from '../../src/platform/proofs/put-in-proofing.ts'
import { pdfFile } from '../world/artwork.ts'
import { done } from '../world/done.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner, type Partner } from '../world/partner.ts'
import { byStaff, placed, type PlacedLine } from '../world/production.ts'
import {
  freshDataDir,
  killService,
  startServiceProcess,
  type ServiceProcess,
  withServiceDatabase,
} from '../world/service-process.ts'
import { until } from '../world/webhooks.ts'

/**
 * Kills the service at random moments while it inspects print files and publishes proofs, then restarts it on the same
 * data. CRASH_CYCLES sets the number of kills. Every other kill includes PostgreSQL.
 */
const cycles = Number(process.env.CRASH_CYCLES ?? 2)
const linesAtOnce = 4
/** The kill comes so much later than the first inspection has begun, at most. */
const afterwardsMilliseconds = 1_500

let dataDir: string
let remove: () => Promise<void>
let service: ServiceProcess

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
  service = await startServiceProcess(dataDir)
})
after(async () => {
  service?.signal('SIGKILL')
  await remove?.()
})

async function attach(speaker: Partner, { orderNumber, itemNumber }: PlacedLine): Promise<void> {
  const at = `/v1/orders/${orderNumber}/items/${itemNumber}/artwork`
  const { body } = await speaker.post(`${at}/upload-url`, { fileName: 'cards.pdf' })
  assert.equal((await fetch(body.uploadUrl, { method: 'PUT', body: pdfFile(randomUUID()) })).status, 200)
  assert.equal((await speaker.post(at, { reservationName: body.reservationName })).status, 200)
}

type Known = { status: string; claims: number; pictures: string[]; proofs: number }

/** What is known about the print files of the orders. */
function known(database: Database, orderNumbers: readonly number[]): Promise<Known[]> {
  return database.statements.rows<Known>(sql`
    select status, claims, array(
        select object_key from artwork_picture picture where picture.inspection_id = inspection.inspection_id
      ) as pictures, (
        select count(*)::int from proof_file proof
        where proof.order_number = file.order_number and proof.line_number = file.line_number
      ) as proofs
    from print_file file join artwork_inspection inspection using (print_file_id)
    where file.order_number = any(${orderNumbers}::bigint[])`)
}

for (let cycle = 1; cycle <= cycles; cycle++) {
  const together = cycle % 2 === 1
  test(`killed ${together ? 'with its database' : 'alone'} (${cycle} of ${cycles}), the service finishes every inspection once, with all pictures, and publishes every proof once`, async (context) => {
    const speaker = await partner(service, 'primary')
    const build = orderBuilder(service.manifest)
    const lines: PlacedLine[] = []
    for (let turn = 0; turn < linesAtOnce; turn++) {
      lines.push(...(await placed(speaker, build.order({ lines: [build.podLine()] }))).lines)
    }
    const orderNumbers = lines.map(({ orderNumber }) => orderNumber)
    await withServiceDatabase(dataDir, async (database) => {
      for (const { orderNumber, lineNumber } of lines) {
        await done(byStaff(database, putInProofing, orderNumber, lineNumber))
      }
    })
    await Promise.all(lines.map((line) => attach(speaker, line)))
    await withServiceDatabase(dataDir, (database) =>
      until(async () => (await known(database, orderNumbers)).some(({ claims }) => claims > 0)),
    )
    await pause(randomInt(afterwardsMilliseconds))
    await killService(service, dataDir, together)

    service = await startServiceProcess(dataDir)
    const folder = await openObjectFolder(join(dataDir, 'objects', 'production'))
    await withServiceDatabase(dataDir, async (database) => {
      await until(async () => (await known(database, orderNumbers)).every(({ proofs }) => proofs > 0))
      const files = await known(database, orderNumbers)
      assert.equal(files.length, linesAtOnce)
      for (const { status, pictures, proofs } of files) {
        assert.equal(status, 'passed')
        assert.equal(proofs, 1)
        // One page in five kinds of pictures.
        assert.equal(pictures.length, 5)
        for (const key of pictures) assert.ok(await folder.head(key))
      }
      const again = files.filter(({ claims }) => claims > 1).length
      context.diagnostic(`${again} of ${linesAtOnce} inspections were begun again`)
    })
  })
}
