import type { ProductionStatus } from '../../vocabulary/statuses.ts'
import { no, to, type StateTable } from '../order-changes/state-table.ts'

/**
 * The station that a line has reached in production, and whether it is on hold there. A hold stops a line without
 * moving it. Station and hold are separate here; a line on hold is published as ON_HOLD.
 */
export type Production = { station: Station; held: boolean }

/** null = not in production (ORD-16) */
export type Station = Exclude<ProductionStatus, 'ON_HOLD'> | null

/**
 * A new print file sends an unfinished line back to prepress (ART-16). The decision on a proof moves its line too: an
 * approved one goes on into production, a declined one goes back to prepress (PRF-18). `approveEarly`: a proof was
 * approved while its line lacks artwork, or its newest print file has errors or is not proven, so the line does not leave prepress.
 */
export type ProductionEvent =
  | 'advance'
  | 'hold'
  | 'attachArtwork'
  | 'enterProofing'
  | 'approveProof'
  | 'approveEarly'
  | 'declineProof'
  | 'ship'

const unknown = no('production_status_unknown')

export const productionSteps = {
  null: {
    advance: to('PREPRESS'),
    hold: to(null),
    attachArtwork: to('PREPRESS'),
    enterProofing: to('PREPRESS'),
    approveProof: to('QUEUED'),
    approveEarly: to('PREPRESS'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  PREPRESS: {
    advance: to('QUEUED'),
    hold: to('PREPRESS'),
    attachArtwork: to('PREPRESS'),
    enterProofing: to('PREPRESS'),
    approveProof: to('QUEUED'),
    approveEarly: to('PREPRESS'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  QUEUED: {
    advance: to('PRINTING'),
    hold: to('QUEUED'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('QUEUED'),
    approveEarly: to('QUEUED'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  PRINTING: {
    advance: to('FINISHING'),
    hold: to('PRINTING'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('PRINTING'),
    approveEarly: to('PRINTING'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  FINISHING: {
    advance: to('PACKING'),
    hold: to('FINISHING'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('FINISHING'),
    approveEarly: to('FINISHING'),
    declineProof: to('PREPRESS'),
    ship: no('line_not_packed'),
  },
  PACKING: {
    advance: to('COMPLETE'),
    hold: to('PACKING'),
    attachArtwork: to('PREPRESS'),
    enterProofing: no('already_in_production'),
    approveProof: to('PACKING'),
    approveEarly: to('PACKING'),
    declineProof: to('PREPRESS'),
    ship: to('COMPLETE'),
  },
  COMPLETE: {
    advance: no('production_complete'),
    hold: no('production_complete'),
    attachArtwork: no('production_complete'),
    enterProofing: no('already_in_production'),
    approveProof: to('COMPLETE'),
    approveEarly: to('COMPLETE'),
    declineProof: to('PREPRESS'),
    ship: to('COMPLETE'),
  },
  // A status the platform does not know: the line stays where it is, but a decision on its proof still counts.
  UNKNOWN: {
    advance: unknown,
    hold: unknown,
    attachArtwork: to('UNKNOWN'),
    enterProofing: unknown,
    approveProof: to('UNKNOWN'),
    approveEarly: to('UNKNOWN'),
    declineProof: to('PREPRESS'),
    ship: unknown,
  },
} satisfies StateTable<Station, ProductionEvent>

export type Hold = 'FREE' | 'HELD'

export type HoldEvent = 'hold' | 'release' | 'move'

export const lineHolds = {
  FREE: { hold: to('HELD'), release: no('line_not_on_hold'), move: to('FREE') },
  HELD: { hold: no('line_on_hold'), release: to('FREE'), move: no('line_on_hold') },
} satisfies StateTable<Hold, HoldEvent>

export function holdOf({ held }: Production): Hold {
  return held ? 'HELD' : 'FREE'
}

/** The two columns that a line's production is stored in. */
export type ProductionColumns = {
  productionStatus: ProductionStatus | null
  heldProductionStatus: ProductionStatus | null
}

export function productionOf({ productionStatus, heldProductionStatus }: ProductionColumns): Production {
  const held = productionStatus === 'ON_HOLD'
  return { station: (held ? heldProductionStatus : productionStatus) as Station, held }
}

export function productionColumns({ station, held }: Production): ProductionColumns {
  return held
    ? { productionStatus: 'ON_HOLD', heldProductionStatus: station }
    : { productionStatus: station, heldProductionStatus: null }
}
