/**
 * The exact sum, or difference, of two decimal texts: `"4365.49"`, `"5"` → `"4370.49"`. Never by floating point.
 * @returns undefined if one of them is no decimal
 */
export function sumOf(one: string, other: string, isTaken: boolean): string | undefined {
  const form = /^-?\d+(\.\d+)?$/
  if (!form.test(one) || !form.test(other)) return undefined
  const scale = Math.max(decimalsOf(one), decimalsOf(other))
  const [a, b] = [inUnits(one, scale), inUnits(other, scale)]
  const units = isTaken ? a - b : a + b
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
}

function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

function inUnits(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(scale - decimalsOf(text)))
}
