/** How many numbers each command of SVG's `d` takes. */
const takes: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }

/**
 * A path that is measured downwards, as one that is measured upwards: its origin is moved to a place, and its lengths
 * are multiplied.
 *
 * @throws when it is not a path as SVG writes it, with a separator between all numbers
 */
export function placePath(path: string, [x, y]: readonly [x: number, y: number], scale: number): string {
  const placed: string[] = []
  for (const [part, command, numbers] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
    const kind = command!.toLowerCase()
    const each = takes[kind]
    const values = numbers!
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map(Number)
    if (
      each === undefined ||
      values.some(Number.isNaN) ||
      (each === 0 ? values.length > 0 : values.length % each > 0)
    ) {
      throw new Error(`not a path: ${part}`)
    }
    const isAbsolute = command !== kind
    const across = (value: number): number => (isAbsolute ? x : 0) + value * scale
    const down = (value: number): number => (isAbsolute ? y : 0) - value * scale
    const turned = values.map((value, index) => {
      if (kind === 'v') return down(value)
      if (kind === 'h') return across(value)
      const place = index % each
      if (kind !== 'a') return place % 2 === 0 ? across(value) : down(value)
      // the radii, the turn of the ellipse, the two flags, and the end
      return [value * scale, value * scale, -value, value, 1 - value, across(value), down(value)][place]!
    })
    placed.push(`${command}${turned.map(rounded).join(' ')}`)
  }
  return placed.join('')
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
