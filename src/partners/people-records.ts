import type { Queries } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'

/** A partner's person as staff see them. */
export type PersonRecord = {
  personId: string
  partnerId: string
  username: string
  email: string | null
  /** `invited`: no password is set yet */
  status: 'invited' | 'active' | 'disabled'
  /** expiry of the valid link; null = there is none */
  invitationExpiresOn: string | null
  hasSecondFactor: boolean
  lastSignedInOn: string | null
  createdOn: string
}

const personColumns = sqlText`
  person_id, partner_id, username, email,
  case when disabled_on is not null then 'disabled' when password_hash is null then 'invited' else 'active' end
    as status,
  invitation_expires_on, second_factor is not null as has_second_factor,
  last_signed_in_on, created_on`

/** At most `limit` people of a partner, by username as its bytes sort. */
export function listPeople(
  queries: Queries,
  partnerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<PersonRecord[]> {
  // index partner_person_by_partner
  return queries.rows(sql`
    select ${personColumns} from partner_person
    where partner_id = ${partnerId} and username collate "C" > ${after}
    order by username collate "C" limit ${limit}`)
}

export function readPerson(queries: Queries, personId: string): Promise<PersonRecord | undefined> {
  return queries.row(sql`select ${personColumns} from partner_person where person_id = ${personId}`)
}
