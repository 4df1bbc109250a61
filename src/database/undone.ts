import type { Database, Transaction } from './database.ts'

/** Carries a result out of a transaction that must not be committed. */
class Undone<Result> extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('undone')
    this.stack = undefined
    this.result = result
  }
}

/** A transaction that is undone, and still answers, where its result says so. */
export async function transactionUnless<Result>(
  database: Pick<Database, 'transaction'>,
  isUndone: (result: Result) => boolean,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(async (tx) => {
      const result = await work(tx)
      if (isUndone(result)) throw new Undone(result)
      return result
    })
  } catch (error) {
    if (error instanceof Undone) return error.result as Result
    throw error
  }
}

/** All of it, or, where it is refused, nothing. */
export function transactionUnlessRefused<Result extends object>(
  database: Pick<Database, 'transaction'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return transactionUnless(database, (result) => 'refused' in result, work)
}
