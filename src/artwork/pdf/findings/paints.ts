import { inksOf } from '../content/inks.ts'
import type { Mark, Paint } from '../content/marks.ts'

/** No ink at all, as far as the file says it. */
export function isWhite({ space, components, patterned }: Paint): boolean {
  if (patterned || space === undefined) return false
  if (space.kind === 'rgb') return components.length === 3 && components.every((each) => each >= 1)
  const inks = inksOf(space, components)
  return inks !== undefined && [...inks.values()].every((amount) => amount === 0)
}

/** The colours that a mark itself is painted with: not those of images or of what patterns are made of. */
export function paintsOf(mark: Mark): readonly Paint[] {
  return everyPaint(mark).filter((paint): paint is Paint => paint?.patterned === false)
}

function everyPaint(mark: Mark): readonly (Paint | undefined)[] {
  switch (mark.kind) {
    case 'text':
      return [mark.fill, mark.stroke]
    case 'area':
      return [mark.fill]
    case 'line':
      return [mark.stroke]
    case 'image':
      return [mark.paint]
    default:
      return []
  }
}
