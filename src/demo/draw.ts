/** Pseudo-random choices that are the same each time, with a separate stream for each subject. */
export type Draw = {
  /** from 0 up to, not including, 1 */
  fraction: () => number
  /** a whole number, both ends included */
  whole: (min: number, max: number) => number
  chance: (probability: number) => boolean
  pick: <Item>(items: readonly Item[]) => Item
  /** picks by weight */
  weighted: <Item>(items: readonly (readonly [item: Item, weight: number])[]) => Item
}

/** A stream fixed by its subject's name (generator: sfc32, seeded by a multiplicative hash of the name). */
export function drawFor(subject: string): Draw {
  let hash = 0x9e3779b9
  for (const character of subject) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x85ebca6b) >>> 0
  let [a, b, c, counter] = [hash, hash ^ 0x2545f491, hash ^ 0x6c8e9cf5, 1]

  function fraction(): number {
    const result = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + result) | 0
    return (result >>> 0) / 0x1_0000_0000
  }
  // The first values still show the seed.
  for (let skipped = 0; skipped < 12; skipped++) fraction()

  const whole = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1))
  return {
    fraction,
    whole,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[whole(0, items.length - 1)]!,
    weighted: (items) => {
      let left = fraction() * items.reduce((total, [, weight]) => total + weight, 0)
      return (items.find(([, weight]) => (left -= weight) < 0) ?? items.at(-1)!)[0]
    },
  }
}
