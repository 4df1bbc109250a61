/** What is measured: a number, the two sides of a size, or a word. */
export type Amount = number | readonly [width: number, height: number] | string

const pointsPerInch = 72
const millimetresPerInch = 25.4

/** As a finding tells it: `0.25`, `252 × 144`, or the word. */
export function decimal(amount: Amount): string {
  if (typeof amount === 'string') return amount
  if (typeof amount === 'number') return rounded(amount, Math.abs(amount) < 1 ? 3 : 2)
  return `${rounded(amount[0], 2)} × ${rounded(amount[1], 2)}`
}

/** A length or a size of points, in the units of rulers: `3.5 × 2 in (88.9 × 50.8 mm)`. */
export function onRulers(amount: Amount): string {
  if (typeof amount === 'string') return amount
  const sides = typeof amount === 'number' ? [amount] : amount
  const inches = sides.map((side) => rounded(side / pointsPerInch, 3)).join(' × ')
  const millimetres = sides.map((side) => rounded((side / pointsPerInch) * millimetresPerInch, 1)).join(' × ')
  return `${inches} in (${millimetres} mm)`
}

function rounded(value: number, places: number): string {
  const factor = 10 ** places
  // adding 0 makes minus zero zero
  return String(Math.round(value * factor) / factor + 0)
}
