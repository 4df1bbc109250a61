import { sqlText } from '../../database/sql.ts'

/**
 * An entry of the log as one text for people: `Declined by the partner. Reason: COLOR. Comment: …` For a query that reads
 * `proof_log_entry` and joins {@link proofComments}.
 */
export const entryInWords = sqlText`entry || coalesce(' Comment: ' || proof_comment.comment, '')`

export const proofComments = sqlText`left join proof_comment using (proof_log_entry_id)`
