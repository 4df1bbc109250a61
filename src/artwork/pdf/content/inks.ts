import type { ColourSpace } from './colour-spaces.ts'

/** The inks of the four process colours, as Separation and DeviceN name them. */
export const processInks = ['Cyan', 'Magenta', 'Yellow', 'Black'] as const

/** The name of a Separation that prints on every plate (8.6.6.4). */
export const everyInk = 'All'

/** Ink → its share from 0 to 1, as far as the file says it: not for colours that are yet to be converted, such as RGB. */
export type Inks = ReadonlyMap<string, number>

/** The inks of one colour; undefined when only a conversion could tell. */
export function inksOf(space: ColourSpace | undefined, components: readonly number[]): Inks | undefined {
  switch (space?.kind) {
    case 'gray':
      return new Map([['Black', 1 - share(components[0] ?? 0)]])
    case 'cmyk':
      return new Map(processInks.map((ink, index) => [ink, share(components[index] ?? 0)]))
    case 'inks':
      return new Map(space.inks.flatMap((ink, index) => (ink === 'None' ? [] : [[ink, share(components[index] ?? 1)]])))
    case 'indexed':
      return indexedInks(space, components[0] ?? 0)
    default:
      return undefined
  }
}

function indexedInks({ base, table }: ColourSpace, index: number): Inks | undefined {
  if (base === undefined || table === undefined || base.kind === 'indexed') return undefined
  const start = Math.max(0, Math.floor(index)) * base.components
  const colour = [...table.subarray(start, start + base.components)].map((byte) => byte / 255)
  return colour.length === base.components ? inksOf(base, colour) : undefined
}

/** All inks together, in percent. */
export function totalInk(inks: Inks): number {
  let total = 0
  for (const [ink, amount] of inks) total += ink === everyInk ? 4 * amount : amount
  return total * 100
}

export function spotInks(names: readonly string[]): readonly string[] {
  const others: readonly string[] = [...processInks, everyInk, 'None', '']
  return names.filter((name) => !others.includes(name))
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value))
}
