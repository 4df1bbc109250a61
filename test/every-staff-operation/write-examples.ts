import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { staffApi } from '../../src/staff/api.ts'
import { staff } from '../world/staff.ts'
import { exampleFaults } from './compare-examples.ts'
import { sendSample } from './send-sample.ts'
import { stableExample, type StaffExample } from './stable-examples.ts'
import { walkService } from './walk-service.ts'

/**
 * Sends every sample and writes what `openapi/staff.json` shows of them. An example stays as it is while its body is the
 * same and its answer has the same form, so that a run changes only what changed. `bin/publish-staff-examples.ts` runs it.
 */
const service = await walkService()
const admin = await staff(service)
const file = new URL('../../src/staff/examples.json', import.meta.url)

test('writes the examples of the staff operations', async (t) => {
  const before = JSON.parse(await readFile(file, 'utf8')) as Record<string, StaffExample>
  const after: Record<string, StaffExample> = {}
  const written: string[] = []
  for (const entry of Object.values(staffApi)) {
    const { sample, answer } = await sendSample({ service, admin }, entry)
    if (answer.status >= 300) throw new Error(`${entry.id}: ${JSON.stringify(answer.body)}`)
    const now = stableExample(entry, sample, answer)
    const isKept =
      exampleFaults(entry, now).length === 0 && JSON.stringify(before[entry.id]?.body) === JSON.stringify(now.body)
    after[entry.id] = isKept && process.env.STAFF_EXAMPLES !== 'all' ? before[entry.id]! : now
    if (!isKept) written.push(entry.id)
  }
  // In the order of their names, so that two people who add operations seldom write at the same place.
  const sorted = Object.fromEntries(Object.entries(after).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  await writeFile(file, `${JSON.stringify(sorted, null, 2)}\n`)
  t.diagnostic(`${written.length} examples are new: ${written.join(', ')}`)
})
