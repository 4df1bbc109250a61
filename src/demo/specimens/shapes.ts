/** SVG paths of plain shapes. */

export function rectangle(x: number, y: number, width: number, height: number): string {
  return `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`
}

export function circle(x: number, y: number, radius: number): string {
  return ellipse(x, y, radius, radius)
}

export function ellipse(x: number, y: number, radiusX: number, radiusY: number): string {
  const arc = `${n(radiusX)} ${n(radiusY)} 0 1 0`
  return `M${n(x - radiusX)} ${n(y)}a${arc} ${n(2 * radiusX)} 0a${arc} ${n(-2 * radiusX)} 0z`
}

export function polygon(...points: readonly (readonly [x: number, y: number])[]): string {
  return `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}z`
}

export function line(x1: number, y1: number, x2: number, y2: number): string {
  return `M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}`
}

export function rounded(x: number, y: number, width: number, height: number, radius: number): string {
  const [w, h, r] = [n(width - 2 * radius), n(height - 2 * radius), n(radius)]
  const corner = `a${r} ${r} 0 0 1`
  return `M${n(x + radius)} ${n(y)}h${w}${corner} ${r} ${r}v${h}${corner} -${r} ${r}h-${w}${corner} -${r} -${r}v-${h}${corner} ${r} -${r}z`
}

/** A band between two wave lines, from `x` over `width`; `swing` is the height of the waves. */
export function waves(x: number, y: number, width: number, height: number, swing: number, count: number): string {
  const step = width / count / 2
  const along = (start: number, sign: number): string =>
    Array.from({ length: count * 2 }, (_, index) => {
      const up = (index % 2 === 0 ? -swing : swing) * sign
      return `q${n((start * step) / 2)} ${n(up)} ${n(start * step)} 0`
    }).join('')
  return `M${n(x)} ${n(y)}${along(1, 1)}v${n(height)}${along(-1, -1)}z`
}

function n(value: number): number {
  return Math.round(value * 1000) / 1000
}
