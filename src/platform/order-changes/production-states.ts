import type { ProductionStatus } from '../../vocabulary/statuses.ts'
import { no, to, type StateTable } from './state-table.ts'

/**
 * How far a line is on its way through the works, and what may move it. A hold does not change where the line stands, it
 * only stops it: the two are kept apart here and published as one word, ON_HOLD. null = not in production (ORD-16).
 */
export type Production = { at: Standing; held: boolean }

export type Standing = Exclude<ProductionStatus, 'ON_HOLD'> | null

/**
 * A new print file sends the line back to prepress, wherever it stood before it was done (ART-16). The proof's decisions
 * move the line too: approved goes on into production, declined goes back to prepress (PRF-18).
 */
export type ProductionEvent =
  | 'advance'
  | 'hold'
  | 'attachArtwork'
  | 'enterProofing'
  | 'approveProof'
  | 'declineProof'
  | 'ship'

export type ProductionRefusal =
  | 'production_complete'
  | 'already_in_production'
  | 'line_not_packed'
  | 'production_status_unknown'

const unknown = no('production_status_unknown')

export const productionSteps: StateTable<Standing, ProductionEvent, ProductionRefusal> = {
  null: {
    advance: to('PREPRESS'),
    hold: to(null),
    attachArtwork: to('PREPRESS'),
    enterProofing: to('PREPRESS'),
    approveProof: to('QUEUED'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  PREPRESS: {
    advance: to('QUEUED'),
    hold: to('PREPRESS'),
    attachArtwork: to('PREPRESS'),
    enterProofing: to('PREPRESS'),
    approveProof: to('QUEUED'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  QUEUED: {
    advance: to('PRINTING'),
    hold: to('QUEUED'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('QUEUED'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  PRINTING: {
    advance: to('FINISHING'),
    hold: to('PRINTING'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('PRINTING'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  FINISHING: {
    advance: to('PACKING'),
    hold: to('FINISHING'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('FINISHING'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  PACKING: {
    advance: to('COMPLETE'),
    hold: to('PACKING'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('PACKING'),
    declineProof: to('PREPRESS'),
    ship: to('COMPLETE'),
  },
  COMPLETE: {
    advance: no('production_complete'),
    hold: no('production_complete'),
    attachArtwork: to('COMPLETE'),
    enterProofing: no('already_in_production'),
    approveProof: to('COMPLETE'),
    declineProof: to('PREPRESS'),
    ship: to('COMPLETE'),
  },
  // A word the platform was not taught: nothing is guessed, but a decision on the proof still counts.
  UNKNOWN: {
    advance: unknown,
    hold: unknown,
    attachArtwork: to('UNKNOWN'),
    enterProofing: unknown,
    approveProof: to('UNKNOWN'),
    declineProof: to('PREPRESS'),
    ship: unknown,
  },
}

export type Hold = 'FREE' | 'HELD'

export type HoldEvent = 'hold' | 'release' | 'move'

export type HoldRefusal = 'line_on_hold' | 'line_not_on_hold'

export const lineHolds: StateTable<Hold, HoldEvent, HoldRefusal> = {
  FREE: { hold: to('HELD'), release: no('line_not_on_hold'), move: to('FREE') },
  HELD: { hold: no('line_on_hold'), release: to('FREE'), move: no('line_on_hold') },
}

export function productionOf(line: {
  productionStatus: ProductionStatus | null
  heldProductionStatus: ProductionStatus | null
}): Production {
  const held = line.productionStatus === 'ON_HOLD'
  return { at: (held ? line.heldProductionStatus : line.productionStatus) as Standing, held }
}

/** The two columns a line's production is stored in. */
export function productionColumns({ at, held }: Production): { status: ProductionStatus | null; heldFrom: Standing } {
  return held ? { status: 'ON_HOLD', heldFrom: at } : { status: at, heldFrom: null }
}
