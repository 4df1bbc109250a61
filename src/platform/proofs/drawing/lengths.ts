const pointsPerInch = 72
const pointsPerMillimetre = pointsPerInch / 25.4

/** Such as `88.9 × 50.8 mm (3.5 × 2 in)`. @param width and height in points */
export function sizeInWords(width: number, height: number): string {
  return `${inMillimetres(width)} × ${inMillimetres(height)} mm (${inInches(width)} × ${inInches(height)} in)`
}

/** Such as `88.9 mm`. @param length in points */
export function lengthInWords(length: number): string {
  return `${inMillimetres(length)} mm`
}

function inMillimetres(points: number): string {
  return rounded(points / pointsPerMillimetre, 1)
}

function inInches(points: number): string {
  return rounded(points / pointsPerInch, 2)
}

function rounded(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)))
}
