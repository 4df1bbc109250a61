import { drawApart } from '../../documents/draw-apart.ts'
import type { draw } from './drawing/draw-proof.ts'
import type { DrawnProof, ProofSheet } from './drawing/proof-sheet.ts'

/** Draws a proof in the drawing thread. */
export function drawProof(sheet: ProofSheet): Promise<DrawnProof> {
  return drawApart<typeof draw>(new URL('drawing/draw-proof.ts', import.meta.url), sheet)
}
