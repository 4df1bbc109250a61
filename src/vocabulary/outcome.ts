/**
 * The result of a verb. Every change of state is a verb of one shape, `verb(tx, change, …) → Done | Refused`. It is
 * called through `database.change`, which commits it when done and rolls it back when refused.
 */

/** The change is made. `done` has the facts that the caller needs. */
export type Done<Facts = {}> = { done: Facts }

/** Nothing is changed, for this reason. A refusal may carry more facts. */
export type Refused<Reason extends string = string> = { refused: Reason }

export type Outcome<Facts = {}, Refusal extends Refused = never> = Done<Facts> | Refusal
