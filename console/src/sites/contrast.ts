/** Contrast of colours, as WCAG 2 reckons it. Colours are `#rrggbb`. */

function luminanceOf(color: string): number | undefined {
  const [, ...parts] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? []
  if (parts.length === 0) return undefined
  const [red, green, blue] = parts.map((part) => {
    const share = Number.parseInt(part, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** 1 = the same, 21 = black on white; 1 for what is no colour. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  if (a === undefined || b === undefined) return 1
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** White or black, whichever is easier to read on a colour; undefined for what is no colour. */
export function textOn(color: string): '#ffffff' | '#000000' | undefined {
  if (luminanceOf(color) === undefined) return undefined
  return contrastOf(color, '#ffffff') >= contrastOf(color, '#000000') ? '#ffffff' : '#000000'
}
