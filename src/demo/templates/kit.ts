import type {
  Area,
  Art,
  Chosen,
  Condition,
  Design,
  Inks,
  Path,
  Rectangle,
  Text,
  Texts,
} from '../../outside/template-vendor/design/design.ts'
import type { TemplateVariable } from '../../outside/template-vendor/template-vendor.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'

/** What the demo's documents have in common: their variables, inks and mark. */

export const textVariable = (name: string, displayName: string, required = false): TemplateVariable => ({
  name,
  displayName,
  dataType: 'SingleLineText',
  required,
  listItems: null,
})

export const textsVariable = (name: string, displayName: string): TemplateVariable => ({
  ...textVariable(name, displayName),
  dataType: 'MultiLineText',
})

export const listVariable = (name: string, displayName: string, listItems: readonly string[]): TemplateVariable => ({
  ...textVariable(name, displayName),
  dataType: 'DropDownList',
  listItems,
})

export const person = [textVariable('Name', 'Full name', true), textVariable('Title', 'Job title')]

/** As the vendor has it: without a label, and of a kind it never told. */
export const link: TemplateVariable = { ...textVariable('qr_link', ''), displayName: null, dataType: null }

export const accentVariable = listVariable('Accent', 'Accent color', ['Blue', 'Green', 'Charcoal'])

const byAccent = (blue: Inks, green: Inks, charcoal: Inks): Chosen<Inks> => ({
  by: 'Accent',
  of: { Blue: blue, Green: green, Charcoal: charcoal },
})

/** Two inks at most, so that small text is sharp. */
export const accent = byAccent([100, 58, 0, 0], [84, 0, 78, 0], [0, 0, 0, 82])
export const deep = byAccent([100, 78, 0, 36], [92, 0, 72, 54], [30, 20, 20, 84])
export const middle = byAccent([58, 18, 0, 0], [52, 0, 48, 0], [0, 0, 0, 42])
export const tint = byAccent([13, 4, 0, 0], [12, 0, 13, 0], [0, 0, 0, 9])
export const black: Inks = [0, 0, 0, 100]
export const grey: Inks = [0, 0, 0, 64]
export const paper: Inks = [0, 0, 0, 0]
export const gold: Inks = [0, 30, 92, 0]
export const coral: Inks = [0, 66, 58, 0]

type Sheet = Pick<Design, 'trim' | 'bleed' | 'safe'>

/** A design in the format that products of this profile have. */
export function sheet({ trimWidth, trimHeight, bleed, safe }: ArtworkProfile): Sheet {
  return { trim: { width: trimWidth!, height: trimHeight! }, bleed: bleed!, safe: safe! }
}

export function filled(area: Area, fill: Chosen<Inks>, radius?: number): Rectangle {
  return { draw: 'rectangle', area, fill, ...(radius === undefined ? {} : { radius }) }
}

/** The whole page with its bleed. */
export function ground({ trim, bleed }: Sheet, fill: Chosen<Inks>): Rectangle {
  return filled([-bleed, -bleed, trim.width + 2 * bleed, trim.height + 2 * bleed], fill)
}

export function shape(path: string, fill: Chosen<Inks>): Path {
  return { draw: 'path', path, fill }
}

export function disc(x: number, y: number, radius: number, fill: Chosen<Inks>): Path {
  return shape(circlePath(x, y, radius), fill)
}

export function ring(x: number, y: number, radius: number, width: number, inks: Chosen<Inks>): Path {
  return { draw: 'path', path: circlePath(x, y, radius), line: { inks, width } }
}

export function rule(left: number, top: number, right: number, inks: Chosen<Inks>, width = 0.5): Path {
  return { draw: 'path', path: `M ${left} ${top} H ${right}`, line: { inks, width } }
}

export function texts(
  area: Area,
  lines: readonly Text[],
  more: Partial<Pick<Texts, 'vertical' | 'turned'>> = {},
): Texts {
  return { draw: 'texts', area, texts: lines, ...more }
}

export function given(value: string, art: readonly Art[], blank: readonly Art[] = []): Condition {
  return { draw: 'condition', value, given: art, blank }
}

export function code(area: Area): Art {
  return { draw: 'qr', value: 'qr_link', area, inks: black }
}

/** The globe of the shop. @param size its diameter */
export function mark(left: number, top: number, size: number, inks: Chosen<Inks>): Art[] {
  const at = [left + size / 2, top + size / 2] as const
  const line = { inks, width: Math.max(0.5, size * 0.065) }
  return ['M -9 0 A 9 9 0 1 1 9 0 A 9 9 0 1 1 -9 0 Z', 'M -4 0 A 4 9 0 1 1 4 0 A 4 9 0 1 1 -4 0 Z', 'M -9 0 H 9'].map(
    (path) => ({ draw: 'path', path, at, scale: size / 20, line }),
  )
}

/** The mark with the shop's name beside it. @param size of the mark */
export function signature(left: number, top: number, size: number, inks: Chosen<Inks>, words = inks): Art[] {
  const width = size * 5
  return [
    ...mark(left, top, size, inks),
    texts([left + size * 1.3, top, width, size], [{ text: 'Meridian', size: size * 0.62, bold: true, inks: words }], {
      vertical: 'middle',
    }),
  ]
}

/** Sun and hills over the whole page. */
export function landscape(page: Sheet): Art[] {
  const { trim, bleed } = page
  const [across, high] = [trim.width + 2 * bleed, trim.height + 2 * bleed]
  const radius = 0.1 * Math.min(across, high * 1.4)
  return [ground(page, tint), disc(0.8 * across - bleed, 0.38 * high - bleed, radius, gold), ...hills(page, -bleed)]
}

/** Hills that run out at the sides and at the bottom of a page. @param top of the sky above them */
export function hills({ trim, bleed }: Sheet, top: number): Art[] {
  const [left, across, high] = [-bleed, trim.width + 2 * bleed, trim.height + bleed - top]
  const at = (x: number, y: number): string => `${(left + x * across).toFixed(2)} ${(top + y * high).toFixed(2)}`
  const hill = (start: number, ...curves: readonly [number, number, number, number, number, number][]): string =>
    `M ${at(0, start)} ${curves.map(([a, b, c, d, e, f]) => `C ${at(a, b)} ${at(c, d)} ${at(e, f)}`).join(' ')} L ${at(1, 1)} L ${at(0, 1)} Z`
  return [
    shape(hill(0.62, [0.16, 0.4, 0.3, 0.42, 0.46, 0.58], [0.62, 0.72, 0.8, 0.5, 1, 0.46]), middle),
    shape(hill(0.74, [0.2, 0.7, 0.34, 0.52, 0.54, 0.66], [0.7, 0.76, 0.86, 0.72, 1, 0.62]), accent),
    shape(hill(0.8, [0.26, 0.84, 0.46, 0.94, 0.64, 0.84], [0.8, 0.76, 0.9, 0.78, 1, 0.8]), deep),
  ]
}

function circlePath(x: number, y: number, radius: number): string {
  const [left, right] = [x - radius, x + radius]
  return `M ${left} ${y} A ${radius} ${radius} 0 1 1 ${right} ${y} A ${radius} ${radius} 0 1 1 ${left} ${y} Z`
}
