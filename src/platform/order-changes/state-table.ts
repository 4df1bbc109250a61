/**
 * A state machine written as its table: for every state and every event, the state that follows or the reason why the
 * event cannot happen. Only the table decides a move. It keeps its literal types, so the compiler knows the reasons of
 * each event. `null` is a state like any other.
 */
export type Move<State extends string | null = string | null> = { to: State } | { refused: string }

export type StateTable<State extends string | null = string | null, Event extends string = string> = {
  readonly [From in `${State}`]: { readonly [On in Event]: Move<State> }
}

type Moves<Table extends StateTable, Event> = Event extends keyof Table[keyof Table] ? Table[keyof Table][Event] : never

/** Why an event cannot happen, over all states. */
export type RefusalOf<Table extends StateTable, Event> = Extract<Moves<Table, Event>, { refused: string }>['refused']

export function to<const State extends string | null>(state: State): { to: State } {
  return { to: state }
}

export function no<const Reason extends string>(reason: Reason): { refused: Reason } {
  return { refused: reason }
}

type StateOf<Table> = { [Name in keyof Table]: Name extends 'null' ? null : Name }[keyof Table]

export function step<Table extends StateTable, Event extends keyof Table[keyof Table]>(
  table: Table,
  state: StateOf<Table>,
  event: Event,
): Moves<Table, Event> {
  return table[`${state as string | null}`]![event as string] as Moves<Table, Event>
}

/** The reasons of `RefusalOf`, each once. */
export function refusalsOf<Table extends StateTable, Event extends keyof Table[keyof Table]>(
  table: Table,
  event: Event,
): RefusalOf<Table, Event>[] {
  const moves = Object.values<{ readonly [On in string]: Move }>(table).map((state) => state[event as string]!)
  const refusals = moves.flatMap((move) => ('refused' in move ? [move.refused] : []))
  return [...new Set(refusals)] as RefusalOf<Table, Event>[]
}
