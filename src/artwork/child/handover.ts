import { deserialize, serialize } from 'node:v8'
import type { PdfInspection } from '../pdf/inspect-pdf.ts'

/** What the renderer needs of what the reader learned about a PDF. */
export type Handover = Pick<PdfInspection, 'pages' | 'heavyImages' | 'outputProfile'>

/** As bytes, which the service passes on without looking into them. */
export function packed(handover: Handover): Buffer {
  return serialize(handover)
}

export function unpacked(bytes: Uint8Array): Handover {
  return deserialize(bytes) as Handover
}
