import type { Queries } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'

/**
 * Ends every session, grant and token of people, and every step that knows whom it is about. A sign-in under way that
 * proved the person before is not completed: the count that it took along is no longer theirs.
 */
export async function endSignIns(queries: Queries, personId: string): Promise<void> {
  await end(queries, sqlText`person_id = ${personId}`)
}

/** The same for a partner's people without a second factor. */
export async function endSignInsByPasswordAlone(queries: Queries, partnerId: string): Promise<void> {
  await end(queries, sqlText`partner_id = ${partnerId} and second_factor is null`)
}

async function end(queries: Queries, whom: ReturnType<typeof sqlText>): Promise<void> {
  // index sign_in_record_by_person
  await queries.rows(sql`
    with ended as (
      update partner_person set sign_ins_ended = sign_ins_ended + 1 where ${whom} returning person_id
    )
    delete from sign_in_record where person_id in (select person_id from ended)`)
}
