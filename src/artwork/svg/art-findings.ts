import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { Findings } from '../findings/finding.ts'
import type { SvgElement } from './parse-svg.ts'
import { type Declarations, rulesIn, styleFinder } from './styles.ts'
import { identity, type Matrix, matrixIn, multiplied, numbersIn, pointsIn, scaleOf, unitsIn } from './units.ts'

/** A picture inside a document, by its data, and the size in which it is used, in points. */
export type PictureInside = { element: SvgElement; width: number; height: number }

/** What an element inherits. */
type Inherited = { matrix: Matrix; stroke: string; strokeWidth: string }

const shapes = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan'])
/** What is drawn only where something uses it as another thing than art. */
const noArt = new Set(['clipPath', 'mask', 'filter', 'style'])

/**
 * Adds what the art itself tells: live text, thin lines, transparency.
 * @param pointsPerUnit the size of a unit of the drawing on the product
 * @returns the pictures inside
 */
export function addArtFindings(
  findings: Findings,
  root: SvgElement,
  pointsPerUnit: number,
  profile: ArtworkProfile,
): PictureInside[] {
  const styleOf = styleFinder(rulesIn(root))
  const pictures: PictureInside[] = []

  const visit = (element: SvgElement, above: Inherited): void => {
    const { name, attributes } = element
    if (noArt.has(name)) return
    const style = styleOf(element)
    if (style.get('display') === 'none') return
    const own = {
      matrix: multiplied(matrixIn(attributes.get('transform')), above.matrix),
      stroke: style.get('stroke') ?? above.stroke,
      strokeWidth: style.get('stroke-width') ?? above.strokeWidth,
    }
    if (name === 'text' && textOf(element).trim() !== '') findings.add('text_not_outlined')
    if (isTransparent(style)) findings.add('transparency', { page: 1 })
    const scale = scaleOf(own.matrix) * pointsPerUnit
    if (shapes.has(name)) {
      const width =
        (unitsIn(own.strokeWidth) ?? 1) * (style.get('vector-effect') === 'non-scaling-stroke' ? 0.75 : scale)
      const least = profile.linePointsMin
      if (own.stroke !== 'none' && least !== null && width > 0 && width < least - 0.005)
        findings.add('hairline', { page: 1, found: width, wanted: least }, -width)
    }
    if (name === 'image' && attributes.has('href')) {
      const [width, height] = ['width', 'height'].map((side) => (unitsIn(attributes.get(side)) ?? 0) * scale)
      pictures.push({ element, width: width!, height: height! })
    }
    for (const child of element.children) if (typeof child !== 'string') visit(child, own)
  }
  visit(root, { matrix: identity, stroke: 'none', strokeWidth: '1' })
  return pictures
}

function isTransparent(style: Declarations): boolean {
  const veiled = ['opacity', 'fill-opacity', 'stroke-opacity', 'stop-opacity'].some((property) => {
    const [value] = numbersIn(style.get(property))
    return value !== undefined && (style.get(property)!.endsWith('%') ? value / 100 : value) < 1
  })
  const masked = ['mask', 'filter'].some((property) => (style.get(property) ?? 'none') !== 'none')
  return veiled || masked || (style.get('mix-blend-mode') ?? 'normal') !== 'normal'
}

function textOf(element: SvgElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

/** The size of a drawing in points as it says itself, and its units. */
export type Drawing = { size: readonly [number, number]; viewBox: readonly [number, number, number, number] }

/** What browsers take for a drawing that says nothing of its size. */
const usual = [300, 150] as const

export function drawingOf({ attributes }: SvgElement): Drawing {
  const said = numbersIn(attributes.get('viewBox'))
  const box = said.length === 4 && said[2]! > 0 && said[3]! > 0 ? (said as [number, number, number, number]) : null
  const [width, height] = [pointsIn(attributes.get('width')), pointsIn(attributes.get('height'))]
  const [across, down] = box === null ? usual : [box[2], box[3]]
  const size =
    (width ?? 0) > 0 && (height ?? 0) > 0
      ? ([width!, height!] as const)
      : (width ?? 0) > 0
        ? ([width!, (width! * down) / across] as const)
        : (height ?? 0) > 0
          ? ([(height! * across) / down, height!] as const)
          : ([across * 0.75, down * 0.75] as const)
  return { size, viewBox: box ?? [0, 0, size[0] / 0.75, size[1] / 0.75] }
}
