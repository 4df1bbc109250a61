import { readdirSync, readFileSync } from 'node:fs'
import type { StaffContract } from '../publish/staff-openapi.ts'

type Examples = StaffContract['examples']

/** A file for each subject, so that work on two of them does not meet. `node bin/publish-staff-examples.ts` writes them. */
const folder = new URL('examples/', import.meta.url)

/** What each operation was sent and answered, by its id. */
export const staffExamples: Examples = Object.assign(
  {},
  ...readdirSync(folder).map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Examples),
)
