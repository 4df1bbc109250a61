import type { Dict } from '../syntax/objects.ts'

/** Rows of samples as DecodeParms describe them (7.4.4.4). */
type Rows = { perPixel: number; rowBytes: number; bits: number }

/** Undoes the prediction that helped to compress: TIFF's for 8 bits, or PNG's. */
export function undoPredictor(bytes: Uint8Array, parameters: Dict | undefined): Uint8Array {
  const predictor = parameters?.number('Predictor') ?? 1
  if (parameters === undefined || predictor < 2) return bytes
  const bits = bounded(parameters.number('BitsPerComponent'), 8, 16)
  const colours = bounded(parameters.number('Colors'), 1, 32)
  const columns = bounded(parameters.number('Columns'), 1, 1_000_000)
  const rows = {
    perPixel: Math.max(1, (bits * colours) >> 3),
    rowBytes: Math.ceil((bits * colours * columns) / 8),
    bits,
  }
  return predictor === 2 ? undoTiff(bytes, rows) : undoPng(bytes, rows)
}

function bounded(value: number | undefined, usual: number, most: number): number {
  return value !== undefined && value >= 1 && value <= most ? Math.floor(value) : usual
}

function undoTiff(bytes: Uint8Array, { perPixel, rowBytes, bits }: Rows): Uint8Array {
  if (bits !== 8) return bytes
  const out = Uint8Array.from(bytes)
  for (let at = 0; at < out.length; at++) if (at % rowBytes >= perPixel) out[at]! += out[at - perPixel]!
  return out
}

/** Each row begins with the number of its predictor. A last row that is cut off counts as far as it goes. */
function undoPng(bytes: Uint8Array, { perPixel, rowBytes }: Rows): Uint8Array {
  const count = Math.ceil(bytes.length / (rowBytes + 1))
  const out = new Uint8Array(Math.max(0, bytes.length - count))
  let to = 0
  for (let from = 0; from < bytes.length;) {
    const kind = bytes[from++]!
    const end = Math.min(from + rowBytes, bytes.length)
    const rowStart = to
    for (; from < end; from++, to++) {
      const left = to - rowStart >= perPixel ? out[to - perPixel]! : 0
      const up = rowStart > 0 ? out[to - rowBytes]! : 0
      const corner = rowStart > 0 && to - rowStart >= perPixel ? out[to - rowBytes - perPixel]! : 0
      out[to] = bytes[from]! + predicted(kind, left, up, corner)
    }
  }
  return out
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  switch (kind) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, corner)
    default:
      return 0
  }
}

/** The one of the three that is closest to `left + up - corner` (PNG, 9.4). */
function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
