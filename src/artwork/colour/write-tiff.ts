/** Samples in rows from the top, 8 bits each: 1 (grey), 3 (RGB) or 4 (CMYK) of them to a pixel. */
export type Samples = { width: number; height: number; channels: 1 | 3 | 4; data: Uint8Array }

const SHORT = 3
const LONG = 4
const UNDEFINED = 7
const MIN_IS_BLACK = 1
const RGB = 2
const INKS = 5

/**
 * An uncompressed TIFF file: the one way to hand ink values, with the profile that says what they look like, to libvips.
 */
export function writeTiff({ width, height, channels, data }: Samples, profile: Uint8Array | null): Buffer {
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, 0],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, channels === 4 ? INKS : channels === 3 ? RGB : MIN_IS_BLACK],
    [273, LONG, 1, 0],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, data.length],
    ...(profile === null ? [] : [[34_675, UNDEFINED, profile.length, 0] satisfies [number, number, number, number]]),
  ]
  const bits = 8 + 2 + entries.length * 12 + 4
  const icc = bits + channels * 2
  const samples = icc + (profile?.length ?? 0) + ((profile?.length ?? 0) % 2)
  const valueAt: Record<number, number> = { 258: channels === 1 ? 8 : bits, 273: samples, 34_675: icc }

  const head = Buffer.alloc(samples)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(8, 4)
  head.writeUInt16LE(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    head.writeUInt32LE(valueAt[tag] ?? value, at + 8)
  }
  for (let channel = 0; channel < channels; channel++) head.writeUInt16LE(8, bits + channel * 2)
  if (profile !== null) head.set(profile, icc)
  return Buffer.concat([head, data])
}
