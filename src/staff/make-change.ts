import type { Refusal } from '../contract/refusal.ts'
import type { Transaction } from '../database/database.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import type { StaffEnvironment } from './environment.ts'

/**
 * Makes the change that a call asks for. A refusal of the verb is thrown as the call's refusal, so a
 * verb with a code that the operation does not declare does not compile.
 * @param detailOf the detail of a refusal; by default the refusal's own `detail`
 */
export async function makeChange<Code extends string, Facts, Reason extends Refused<Code>>(
  call: { environment: StaffEnvironment; change: Change; refuse: (code: Code, detail?: string) => Refusal<string> },
  verb: (tx: Transaction, change: Change) => Promise<Done<Facts> | Reason>,
  detailOf: (refused: Reason) => string | undefined = ownDetail,
): Promise<Facts> {
  const outcome: Done<Facts> | Reason = await call.environment.database.change((tx) => verb(tx, call.change))
  if ('refused' in outcome) throw call.refuse(outcome.refused, detailOf(outcome))
  return outcome.done
}

function ownDetail(refused: Refused): string | undefined {
  return 'detail' in refused ? String(refused.detail) : undefined
}
