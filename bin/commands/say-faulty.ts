import type { Faulty } from '../../src/backup/named-files.ts'
import { say } from './command.ts'

/** Lists files that rows name and that are not as they should be, a line each. */
export function sayFaulty(faulty: readonly Faulty[]): void {
  for (const { fault, kind, of, key } of faulty) say(`    ${fault}: ${kind} of ${of} (${key})`)
}
