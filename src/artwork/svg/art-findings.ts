import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { PageFindings } from '../findings/page-findings.ts'
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
/** What is drawn only where something uses it. */
const definitions = new Set(['defs', 'symbol', 'pattern', 'marker', 'linearGradient', 'radialGradient'])

/**
 * Adds what the art itself tells: live text, thin lines, transparency. Only what is drawn counts, and each element once:
 * where it stands, or else where it is used first.
 * @param pointsPerUnit the size of a unit of the drawing on the product
 * @returns the pictures inside
 */
export function addArtFindings(
  findings: PageFindings,
  root: SvgElement,
  pointsPerUnit: number,
  profile: ArtworkProfile,
): PictureInside[] {
  const styleOf = styleFinder(rulesIn(root))
  const pictures: PictureInside[] = []
  const byId = elementsById(root)
  const visited = new Set<SvgElement>()
  const used: { element: SvgElement; above: Inherited }[] = []

  const visit = (element: SvgElement, above: Inherited): void => {
    const { name, attributes } = element
    if (noArt.has(name) || visited.has(element)) return
    visited.add(element)
    const style = styleOf(element)
    if (style.get('display') === 'none') return
    const own = {
      matrix: multiplied(matrixIn(attributes.get('transform')), above.matrix),
      stroke: style.get('stroke') ?? above.stroke,
      strokeWidth: style.get('stroke-width') ?? above.strokeWidth,
    }
    if (name === 'text' && textOf(element).trim() !== '') findings.add('text_not_outlined')
    if (isTransparent(style)) findings.add('transparency')
    const scale = scaleOf(own.matrix) * pointsPerUnit
    if (shapes.has(name)) {
      const width =
        (unitsIn(own.strokeWidth) ?? 1) * (style.get('vector-effect') === 'non-scaling-stroke' ? 0.75 : scale)
      const least = profile.linePointsMin
      if (own.stroke !== 'none' && least !== null && width > 0 && width < least - 0.005)
        findings.add('hairline', { found: width, wanted: least }, -width)
    }
    if (name === 'image' && attributes.has('href')) {
      const [width, height] = ['width', 'height'].map((side) => (unitsIn(attributes.get(side)) ?? 0) * scale)
      pictures.push({ element, width: width!, height: height! })
    }
    for (const id of usedBy(element, style)) {
      const target = byId.get(id)
      if (target !== undefined) used.push({ element: target, above: own })
    }
    for (const child of element.children)
      if (typeof child !== 'string' && !definitions.has(child.name)) visit(child, own)
  }
  visit(root, { matrix: identity, stroke: 'none', strokeWidth: '1' })
  for (const { element, above } of used) visit(element, above)
  return pictures
}

function elementsById(root: SvgElement): ReadonlyMap<string, SvgElement> {
  const byId = new Map<string, SvgElement>()
  const look = (element: SvgElement): void => {
    const id = element.attributes.get('id')
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
    for (const child of element.children) if (typeof child !== 'string') look(child)
  }
  look(root)
  return byId
}

/** The ids of what an element draws besides its children. A text on a path does not draw the path. */
function usedBy({ name, attributes }: SvgElement, style: Declarations): string[] {
  const href = attributes.get('href')
  const ids = href?.startsWith('#') && name !== 'textPath' && name !== 'a' ? [href.slice(1)] : []
  for (const value of style.values())
    for (const [, id] of value.matchAll(/url\(\s*["']?#([^"')\s]{1,200})/g)) ids.push(id!)
  return ids
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
