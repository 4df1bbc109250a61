/** The filters of PDF in the other direction, written as plainly as the standard tells them (ISO 32000-2, 7.4). */

export function asciiHex(bytes: Uint8Array): Buffer {
  return Buffer.from(`${Buffer.from(bytes).toString('hex')}>`)
}

export function ascii85(bytes: Uint8Array): Buffer {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const group = bytes.subarray(at, at + 4)
    let value = 0
    for (let index = 0; index < 4; index++) value = value * 256 + (group[index] ?? 0)
    if (value === 0 && group.length === 4) text += 'z'
    else {
      const digits = [0, 1, 2, 3, 4].map((place) => Math.floor(value / 85 ** (4 - place)) % 85)
      text += String.fromCharCode(...digits.slice(0, group.length + 1).map((digit) => digit + 33))
    }
  }
  return Buffer.from(`${text}~>`)
}

export function runLengths(bytes: Uint8Array): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    let length = 1
    while (length < 128 && bytes[at + length] === bytes[at]) length++
    pieces.push(Buffer.from(length > 1 ? [257 - length, bytes[at]!] : [0, bytes[at]!]))
    at += length
  }
  return Buffer.concat([...pieces, Buffer.from([128])])
}

/** Clears its table when it is full. */
export function lzw(bytes: Uint8Array, early: boolean): Buffer {
  const out: number[] = []
  let held = 0
  let bits = 0
  let width = 9
  const put = (code: number): void => {
    held = held * 2 ** width + code
    bits += width
    while (bits >= 8) {
      bits -= 8
      out.push(Math.floor(held / 2 ** bits))
      held %= 2 ** bits
    }
  }
  let table = new Map<number, number>()
  let next = 258
  put(256)
  let prefix = -1
  for (const byte of bytes) {
    const known = prefix < 0 ? byte : table.get(prefix * 256 + byte)
    if (known !== undefined) {
      prefix = known
      continue
    }
    put(prefix)
    table.set(prefix * 256 + byte, next++)
    const grown = next + (early ? 0 : -1)
    if (grown > 2 ** width - 1 && width < 12) width++
    if (next === 4095) {
      put(256)
      table = new Map()
      next = 258
      width = 9
    }
    prefix = byte
  }
  if (prefix >= 0) put(prefix)
  if (prefix >= 0 && next + (early ? 1 : 0) > 2 ** width - 1 && width < 12) width++
  put(257)
  if (bits > 0) out.push((held * 2 ** (8 - bits)) & 255)
  return Buffer.from(out)
}

type Rows = { colours: number; columns: number }

export function tiffPredicted(bytes: Uint8Array, { colours, columns }: Rows): Buffer {
  const row = colours * columns
  return Buffer.from(bytes.map((byte, at) => byte - (at % row >= colours ? bytes[at - colours]! : 0)))
}

/** Each row with one of PNG's five predictors. */
export function pngPredicted(bytes: Uint8Array, { colours, columns }: Rows, kind: number): Buffer {
  const row = colours * columns
  const out: number[] = []
  for (const [at, byte] of bytes.entries()) {
    const inRow = at % row
    if (inRow === 0) out.push(kind)
    const left = inRow >= colours ? bytes[at - colours]! : 0
    const up = at >= row ? bytes[at - row]! : 0
    const corner = at >= row && inRow >= colours ? bytes[at - row - colours]! : 0
    const nearest = [left, up, corner].toSorted(
      (one, other) => Math.abs(left + up - corner - one) - Math.abs(left + up - corner - other),
    )[0]!
    out.push(byte - [0, left, up, (left + up) >> 1, nearest][kind]!)
  }
  return Buffer.from(out.map((value) => value & 255))
}
