import { createHash } from 'node:crypto'
import { drawApart } from '../../documents/draw-apart.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { draw, TemplateBoxes } from './draw-template.ts'

/** Changes with the drawing, so that templates stored before are drawn anew. */
const templateVersion = 1

/**
 * The object key of the template for a product of this size: a PDF with the boxes drawn, to design on. It is drawn once
 * for all products with the same boxes, and kept. null = the product has no size.
 * @throws Outage of the store
 */
export async function storedTemplate(objectStore: ObjectStore, profile: ArtworkProfile): Promise<string | null> {
  const { trimWidth, trimHeight, bleed, safe } = profile
  if (trimWidth === null || trimHeight === null) return null
  const boxes: TemplateBoxes = { trimWidth, trimHeight, bleed: bleed ?? 0, safe }
  const name = createHash('sha256')
    .update(JSON.stringify([templateVersion, boxes]))
    .digest('hex')
  const objectKey = `artwork-templates/${name}.pdf`
  if (!(await objectStore.head(objectKey))) {
    const pdf = await drawApart<typeof draw>(new URL('draw-template.ts', import.meta.url), boxes)
    await objectStore.write(objectKey, pdf)
  }
  return objectKey
}
