import { deserialize, serialize } from 'node:v8'
import type { PageBoxes } from '../../vocabulary/artwork.ts'

/** What the renderer needs of what the reader learned. */
export type Handover = { pages: PageBoxes[] }

/** As bytes, which the service passes on without looking into them. */
export function packed(handover: Handover): Buffer {
  return serialize(handover)
}

export function unpacked(bytes: Uint8Array): Handover {
  return deserialize(bytes) as Handover
}
