import type { HostileFile } from './hostile-file.ts'

/** Files harmed at random, the same for the same seed. */

/** Whole numbers from 0 below `below` (mulberry32). */
type Draw = (below: number) => number

function drawFrom(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const harms: readonly ((file: Buffer, draw: Draw) => Buffer)[] = [
  function cutShort(file, draw) {
    return file.subarray(0, 16 + draw(file.length - 16))
  },
  function flipBits(file, draw) {
    const harmed = Buffer.from(file)
    for (let count = 1 + draw(40); count > 0; count--) harmed[8 + draw(file.length - 8)]! ^= 1 << draw(8)
    return harmed
  },
  function exchangeDigits(file, draw) {
    const digits = [...file.keys()].filter((at) => at > 8 && file[at]! >= 48 && file[at]! <= 57)
    const harmed = Buffer.from(file)
    for (let count = digits.length === 0 ? 0 : 1 + draw(20); count > 0; count--) {
      harmed[digits[draw(digits.length)]!] = 48 + draw(10)
    }
    return harmed
  },
  function repeatPart(file, draw) {
    const start = 16 + draw(file.length - 16)
    const part = file.subarray(start, start + draw(2_000))
    return Buffer.concat([
      file.subarray(0, start),
      ...Array.from({ length: 1 + draw(20) }, () => part),
      file.subarray(start),
    ])
  },
  function leaveOut(file, draw) {
    const start = 16 + draw(file.length - 16)
    return Buffer.concat([file.subarray(0, start), file.subarray(start + 1 + draw(500))])
  },
  function fillPart(file, draw) {
    const harmed = Buffer.from(file)
    const start = 16 + draw(file.length - 16)
    return harmed.fill([0, 0xff, 0x28, 0x5b][draw(4)]!, start, Math.min(file.length, start + draw(300)))
  },
]

/** @param good files of which harmed ones are made, by name */
export function fuzzedFiles(good: readonly (readonly [name: string, bytes: Buffer])[], count: number): HostileFile[] {
  return Array.from({ length: count }, (_, seed) => {
    const [name, bytes] = good[seed % good.length]!
    return {
      name: `${name}, harmed by ${seed}`,
      make: () => {
        const draw = drawFrom(seed)
        let harmed = bytes
        for (let times = 1 + draw(3); times > 0; times--)
          if (harmed.length > 32) harmed = harms[draw(harms.length)]!(harmed, draw)
        return harmed
      },
    }
  })
}
