import assert from 'node:assert/strict'
import type { Done, Refused } from '../../src/vocabulary/outcome.ts'

/** The verb's result; a refusal fails the test. */
export async function done<Facts>(outcome: Promise<Done<Facts> | Refused>): Promise<Facts> {
  const result = await outcome
  if ('refused' in result) assert.fail(`refused: ${JSON.stringify(result)}`)
  return result.done
}
