import { drawApart } from '../../documents/draw-apart.ts'
import type { draw as drawTickets } from './drawing/draw-job-tickets.ts'
import type { draw as drawLabel } from './drawing/draw-labels.ts'
import type { draw as drawSlips } from './drawing/draw-packing-slips.ts'
import type { draw as drawPicks } from './drawing/draw-pick-list.ts'
import type { draw as drawMoney } from './drawing/draw-statement.ts'

/** Every kind of document is drawn in the drawing thread; the same input gives the same bytes. */

const at = (name: string): URL => new URL(`drawing/${name}.ts`, import.meta.url)

/** Pictures take most of the time, so many tickets may take longer than other drawings. */
export const drawJobTickets = (input: Parameters<typeof drawTickets>[0]) =>
  drawApart<typeof drawTickets>(at('draw-job-tickets'), input, 60_000 + 1_000 * input.tickets.length)
export const drawPickList = (input: Parameters<typeof drawPicks>[0]) =>
  drawApart<typeof drawPicks>(at('draw-pick-list'), input)
export const drawPackingSlips = (input: Parameters<typeof drawSlips>[0]) =>
  drawApart<typeof drawSlips>(at('draw-packing-slips'), input)
export const drawLabels = (input: Parameters<typeof drawLabel>[0]) =>
  drawApart<typeof drawLabel>(at('draw-labels'), input)
export const drawStatement = (input: Parameters<typeof drawMoney>[0]) =>
  drawApart<typeof drawMoney>(at('draw-statement'), input)
