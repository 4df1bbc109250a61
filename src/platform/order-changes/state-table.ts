/**
 * A state machine written as its table: for every state and every event the state that follows, or the reason why the
 * event cannot happen. Nothing else decides a move; null is a state like any other.
 */
export type Move<State, Reason extends string> = { to: State } | { refused: Reason }

export type StateTable<State extends string | null, Event extends string, Reason extends string> = {
  readonly [From in `${State}`]: { readonly [On in Event]: Move<State, Reason> }
}

export function to<const State extends string | null>(state: State): { to: State } {
  return { to: state }
}

export function no<const Reason extends string>(reason: Reason): { refused: Reason } {
  return { refused: reason }
}

export function step<State extends string | null, Event extends string, Reason extends string>(
  table: StateTable<State, Event, Reason>,
  state: NoInfer<State>,
  event: NoInfer<Event>,
): Move<State, Reason> {
  return table[`${state}`][event]
}

/** Why an event cannot happen, over all states, each reason once. */
export function refusalsOf<State extends string | null, Event extends string, Reason extends string>(
  table: StateTable<State, Event, Reason>,
  event: NoInfer<Event>,
): Reason[] {
  const moves = Object.values<{ readonly [On in Event]: Move<State, Reason> }>(table).map((state) => state[event])
  return [...new Set(moves.flatMap((move) => ('refused' in move ? [move.refused] : [])))]
}
