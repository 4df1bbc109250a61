import type { SvgElement } from './parse-svg.ts'

/** The document as XML, in this size in pixels. */
export function writeSvg(
  root: SvgElement,
  width: number,
  height: number,
  viewBox: readonly number[],
  fit: string,
): string {
  const attributes = new Map([
    ...root.attributes,
    ['xmlns', 'http://www.w3.org/2000/svg'],
    ['width', String(width)],
    ['height', String(height)],
    ['viewBox', viewBox.join(' ')],
    ['preserveAspectRatio', fit],
  ])
  for (const moved of ['x', 'y']) attributes.delete(moved)
  return write({ ...root, attributes })
}

function write({ name, attributes, children }: SvgElement): string {
  const said = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')
  const inside = children.map((child) => (typeof child === 'string' ? escaped(child) : write(child))).join('')
  return `<${name}${said}>${inside}</${name}>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/g, ' ')
}
