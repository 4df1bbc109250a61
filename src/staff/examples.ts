import { readFileSync } from 'node:fs'
import type { StaffContract } from '../publish/staff-openapi.ts'

/** What each operation was sent and answered, by its id. `node bin/publish-staff-examples.ts` writes it. */
export const staffExamples = JSON.parse(
  readFileSync(new URL('examples.json', import.meta.url), 'utf8'),
) as StaffContract['examples']
