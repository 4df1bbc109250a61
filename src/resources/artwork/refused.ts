import type { Refusal } from '../../contract/refusal.ts'
import type { ArtworkRefusal } from '../../platform/print-files/takes-artwork.ts'

type Reason = ArtworkRefusal['refused'] | 'line_not_found' | 'order_not_found' | 'reservation_not_usable'

type Code = 'order_item_not_found' | 'order_item_cancelled' | 'artwork_reservation_not_usable'

const notUsable: Record<
  Exclude<Reason, 'line_not_found' | 'order_not_found' | 'line_cancelled' | 'order_cancelled'>,
  string
> = {
  reservation_not_usable:
    'The reservation is unknown, has no uploaded file, or is already attached. Reserve a new upload.',
  line_shipped: 'The line has shipped, so it takes no more artwork.',
  production_complete: 'The line is already made, so it takes no more artwork.',
  order_completed: 'The order is completed, so its lines take no more artwork.',
}

/** What a partner is told if a line takes no artwork, or not by this reservation. */
export function artworkRefused(refuse: (code: Code, detail?: string) => Refusal, reason: Reason): Refusal {
  if (reason === 'line_not_found' || reason === 'order_not_found') return refuse('order_item_not_found')
  if (reason === 'line_cancelled' || reason === 'order_cancelled') return refuse('order_item_cancelled')
  return refuse('artwork_reservation_not_usable', notUsable[reason])
}
