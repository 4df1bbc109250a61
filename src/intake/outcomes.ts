import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { submissionColumns, type SubmissionRow } from './submission-row.ts'

/**
 * Tells the callers that wait for a submission when it has ended. Workers in this process call `ended`, workers in
 * other processes send a hint through the database. Since hints can be lost, open waits also read their submissions
 * every second.
 */
export type Outcomes = {
  /** the ended submission; undefined when the time is over; `removed` if a reset of the sandbox removed it */
  wait: (submissionId: string, milliseconds: number) => Promise<SubmissionRow | 'removed' | undefined>
  ended: (submission: SubmissionRow) => void
  close: () => Promise<void>
}

/** Hinted, with the id, when a submission has ended. */
export const endedChannel = 'submission_ended'

const lookUpMilliseconds = 1_000

export async function createOutcomes(database: Database): Promise<Outcomes> {
  const waiting = new Map<string, Set<(outcome: SubmissionRow | 'removed' | undefined) => void>>()

  function tell(submissionId: string, outcome: SubmissionRow | 'removed'): void {
    for (const settle of waiting.get(submissionId) ?? []) settle(outcome)
  }

  function ended(submission: SubmissionRow): void {
    tell(submission.submissionId, submission)
  }

  async function lookUp(submissionIds: readonly string[]): Promise<void> {
    if (submissionIds.length === 0) return
    const rows = await database.reads
      .rows<SubmissionRow>(sql`
        select ${submissionColumns} from submission
        where submission_id = any(${submissionIds}::uuid[])`)
      .catch(() => undefined)
    if (!rows) return
    const found = new Map(rows.map((row) => [row.submissionId, row]))
    for (const submissionId of submissionIds) {
      const row = found.get(submissionId)
      if (!row) tell(submissionId, 'removed')
      else if (row.outcome) ended(row)
    }
  }

  const stopListening = await database.listen(endedChannel, (submissionId) => {
    if (submissionId === '') void lookUp([...waiting.keys()])
    else if (waiting.has(submissionId)) void lookUp([submissionId])
  })
  const timer = setInterval(() => void lookUp([...waiting.keys()]), lookUpMilliseconds)
  timer.unref()

  return {
    wait: (submissionId, milliseconds) =>
      new Promise((resolve) => {
        const settlers = waiting.get(submissionId) ?? new Set()
        waiting.set(submissionId, settlers)
        const settle = (outcome: SubmissionRow | 'removed' | undefined): void => {
          clearTimeout(deadline)
          settlers.delete(settle)
          if (settlers.size === 0 && waiting.get(submissionId) === settlers) waiting.delete(submissionId)
          resolve(outcome)
        }
        const deadline = setTimeout(() => settle(undefined), milliseconds)
        settlers.add(settle)
      }),
    ended,
    close: async () => {
      clearInterval(timer)
      await stopListening()
    },
  }
}
