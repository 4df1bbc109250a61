import { layOut } from '../../documents/text/lay-out.ts'
import { isGradient, type Canvas, type Design, type Paint, type Picture } from './canvas.ts'

/** A printed page as a picture: SVG inside its trim, in points, with every letter drawn as a shape. */
export type PrintedPage = { width: number; height: number; svg: string }

/** @param page from 0 */
export function printedPage(design: Design, page: number): PrintedPage {
  const { width, height } = design
  const { canvas, parts } = svgCanvas(`${design.title}-${page}`.replace(/\W+/g, '-'), design.picture)
  design.pages[page]!(canvas)
  return { width, height, svg: parts.join('') }
}

/** @param name of its gradients and clips, which must be unique in a picture */
function svgCanvas(name: string, picture: Picture | undefined): { canvas: Canvas; parts: string[] } {
  const parts: string[] = []
  let defined = 0
  const define = (element: (id: string) => string): string => {
    defined += 1
    parts.push(`<defs>${element(`${name}-${defined}`)}</defs>`)
    return `url(#${name}-${defined})`
  }
  const colorOf = (paint: Paint): string => {
    if (!isGradient(paint)) return inkColor(paint)
    const [[x1, y1], [x2, y2]] = [paint.from, paint.to]
    const stops = paint.stops.map(([at, ink]) => `<stop offset="${at}" stop-color="${inkColor(ink)}"/>`)
    const where = `gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"`
    return define((id) => `<linearGradient id="${id}" ${where}>${stops.join('')}</linearGradient>`)
  }
  const canvas: Canvas = {
    fill: (path, paint) => {
      const color = colorOf(paint)
      parts.push(`<path d="${path}" fill="${color}"/>`)
    },
    stroke: (path, ink, width) =>
      void parts.push(`<path d="${path}" fill="none" stroke="${inkColor(ink)}" stroke-width="${width}"/>`),
    text: (text, x, y, { size, ink, weight = 'regular', align = 'start', tracking = 0, widthMax = Infinity }) => {
      let advance = 0
      const outlines = layOut(text, { size: 1, weight }).lines[0]!.runs.flatMap(({ font, glyphs }) =>
        glyphs.map((glyph) => {
          const at = advance
          advance += glyph.advance + tracking / size
          return `<path transform="translate(${at}) scale(${1 / font!.unitsPerEm})" d="${font!.shaper.glyphToPath(glyph.id)}"/>`
        }),
      )
      const natural = advance * size - tracking
      const width = Math.min(natural, widthMax)
      const scale = (size * width) / natural
      const left = align === 'start' ? x : align === 'middle' ? x - width / 2 : x - width
      const placed = `translate(${left} ${y}) scale(${scale} ${-scale})`
      parts.push(`<g transform="${placed}" fill="${inkColor(ink)}">${outlines.join('')}</g>`)
    },
    image: (x, y, width, height) => {
      const placed = `x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none"`
      parts.push(picture!.svg.replace('<svg', `<svg ${placed}`))
    },
    group: ({ x = 0, y = 0, turn = 0, scale = 1, clip }, draw) => {
      const inside =
        clip === undefined
          ? ''
          : ` clip-path="${define((id) => `<clipPath id="${id}"><path d="${clip}"/></clipPath>`)}"`
      // A clip is in the units of its element, which has its own transformation before the clip.
      parts.push(`<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})"><g${inside}>`)
      draw()
      parts.push('</g></g>')
    },
  }
  return { canvas, parts }
}

/** As coated paper shows the ink, about (polynomials of pdf.js, Apache License 2.0, fitted to US Web Coated SWOP). */
export function inkColor(ink: readonly number[]): string {
  const [c, m, y, k] = ink.map((percent) => percent / 100) as [number, number, number, number]
  const red =
    255 +
    c *
      (-4.387332384609988 * c +
        54.48615194189176 * m +
        18.82290502165302 * y +
        212.25662451639585 * k -
        285.2331026137004) +
    m * (1.7149763477362134 * m - 5.6096736904047315 * y - 17.873870861415444 * k - 5.497006427196366) +
    y * (-2.5217340131683033 * y - 21.248923337353073 * k + 17.5119270841813) +
    k * (-21.86122147463605 * k - 189.48180835922747)
  const green =
    255 +
    c *
      (8.841041422036149 * c +
        60.118027045597366 * m +
        6.871425592049007 * y +
        31.159100130055922 * k -
        79.2970844816548) +
    m * (-15.310361306967817 * m + 17.575251261109482 * y + 131.35250912493976 * k - 190.9453302588951) +
    y * (4.444339102852739 * y + 9.8632861493405 * k - 24.86741582555878) +
    k * (-20.737325471181034 * k - 187.80453709719578)
  const blue =
    255 +
    c *
      (0.8842522430003296 * c +
        8.078677503112928 * m +
        30.89978309703729 * y -
        0.23883238689178934 * k -
        14.183576799673286) +
    m * (10.49593273432072 * m + 63.02378494754052 * y + 50.606957656360734 * k - 112.23884253719248) +
    y * (0.03296041114873217 * y + 115.60384449646641 * k - 193.58209356861505) +
    k * (-22.33816807309886 * k - 180.12613974708367)
  return `#${[red, green, blue]
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
