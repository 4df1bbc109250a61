/** Reads a Code 128 from a row of pixels, as a scanner does: by the widths of its bars alone (ISO/IEC 15417). */

// The widths of the 107 characters, in modules, a bar first; the last is the stop.
const widths = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ')
const [codeC, codeB, codeA, startA, startB, startC, stop] = [99, 100, 101, 103, 104, 105, 106]

/** @throws Error if the row has no code, or one that is damaged */
export function code128Read(dark: readonly boolean[]): string {
  const values = valuesOf(runsOf(dark))
  const [start, ...rest] = values
  if (rest.pop() !== stop) throw new Error('the code has no end')
  const check = rest.pop()
  const sum = rest.reduce((total, value, index) => total + value * (index + 1), start!)
  if (sum % 103 !== check) throw new Error('the check character is wrong')
  let set = start === startC ? 'C' : start === startB ? 'B' : start === startA ? 'A' : ''
  let text = ''
  for (const value of rest) {
    if (value === codeC && set !== 'C') set = 'C'
    else if (value === codeB && set !== 'B') set = 'B'
    else if (value === codeA && set !== 'A') set = 'A'
    else if (set === 'C') text += String(value).padStart(2, '0')
    else text += String.fromCharCode(value + 32)
  }
  return text
}

/** The lengths of the runs, from the first dark one to the last. */
function runsOf(dark: readonly boolean[]): number[] {
  const runs: number[] = []
  for (let at = dark.indexOf(true); at <= dark.lastIndexOf(true); at++) {
    if (dark[at] === dark[at - 1] && runs.length > 0) runs[runs.length - 1]! += 1
    else runs.push(1)
  }
  return runs
}

function valuesOf(runs: readonly number[]): number[] {
  const values: number[] = []
  for (let at = 0; at < runs.length;) {
    const length = runs.length - at === 7 ? 7 : 6
    const own = runs.slice(at, at + length)
    const module = own.reduce((sum, run) => sum + run, 0) / (length === 7 ? 13 : 11)
    const value = widths.indexOf(own.map((run) => Math.round(run / module)).join(''))
    if (value < 0) throw new Error(`no character has the widths ${own.join(' ')}`)
    values.push(value)
    at += length
  }
  return values
}
