/**
 * What a verb answers. Every change of state is a verb of one shape, `verb(tx, change, …) → Done | Refused`, called
 * through `database.change`, which commits what is done and rolls back what is refused.
 */

/** The change is made. `done` holds what the caller needs to know of it. */
export type Done<Facts = {}> = { done: Facts }

/** Nothing is changed, for this reason. A refusal may carry more facts beside it. */
export type Refused<Reason extends string = string> = { refused: Reason }

export type Outcome<Facts = {}, Refusal extends Refused = never> = Done<Facts> | Refusal
