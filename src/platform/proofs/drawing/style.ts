import type { Colour } from '../../../documents/colour.ts'

/** A4. */
export const sheetSize = { width: 595.28, height: 841.89 }
export const margin = 42
export const contentWidth = sheetSize.width - 2 * margin
/** above it stands content, below it the foot of the sheet */
export const footTop = 64

export const ink: Colour = [28, 31, 38]
export const softInk: Colour = [98, 104, 116]
export const rule: Colour = [214, 218, 224]
export const panel: Colour = [245, 246, 248]
export const white: Colour = [255, 255, 255]

/** What must be signed for, and what is only worth a look. */
export const weighty: Colour = [176, 58, 0]
export const light: Colour = [122, 92, 0]

/** The lines of a page, in the colours of its previews (`src/artwork/render/guides.ts`): apart for every eye. */
export const guides = {
  bleed: [0, 114, 178],
  trim: [213, 94, 0],
  safe: [0, 158, 115],
} as const satisfies Record<string, Colour>
