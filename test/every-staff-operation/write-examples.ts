import { mkdir, rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { staffSubjects } from '../../src/staff/api.ts'
import { staffExamples } from '../../src/staff/examples.ts'
import type { StaffSubject } from '../../src/staff/operation.ts'
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
const folder = new URL('../../src/staff/examples/', import.meta.url)

test('writes the examples of the staff operations', async (t) => {
  const written: string[] = []
  const files: [string, string][] = []
  for (const [subject, { operations }] of Object.entries<StaffSubject>(staffSubjects)) {
    const examples: Record<string, StaffExample> = {}
    for (const entry of Object.values(operations)) {
      const { sample, answer } = await sendSample({ service, admin }, entry)
      if (answer.status >= 300) throw new Error(`${entry.id}: ${JSON.stringify(answer.body)}`)
      const before = staffExamples[entry.id] as StaffExample | undefined
      const now = stableExample(entry, sample, answer)
      const isKept = exampleFaults(entry, now).length === 0 && JSON.stringify(before?.body) === JSON.stringify(now.body)
      examples[entry.id] = isKept && process.env.STAFF_EXAMPLES !== 'all' ? before! : now
      if (!isKept) written.push(entry.id)
    }
    // In the order of their names, so that two people who add operations seldom write at the same place.
    const sorted = Object.fromEntries(Object.entries(examples).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const name = subject.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    files.push([`${name}.json`, `${JSON.stringify(sorted, null, 2)}\n`])
  }
  await rm(folder, { recursive: true })
  await mkdir(folder)
  for (const [name, text] of files) await writeFile(new URL(name, folder), text)
  t.diagnostic(`${written.length} examples are new: ${written.join(', ')}`)
})
