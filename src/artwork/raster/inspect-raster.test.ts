import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { cmykJpeg } from '../../../test/artwork/cmyk-jpeg.ts'
import { cardRules, noRules } from '../../../test/artwork/profiles.ts'
import { seen, type Seen } from '../../../test/artwork/seen-pictures.ts'
import { writeTiff } from '../colour/write-tiff.ts'
import { inspectRaster } from './inspect-raster.ts'

/** A card with its bleed at 300 pixels per inch. */
const [width, height] = [1125, 675]

const flat = (across: number, down: number, background = '#cc3311'): Sharp =>
  sharp({ create: { width: across, height: down, channels: 3, background } })

const inspect = (bytes: Uint8Array, rules = cardRules, type = 'image/png'): Promise<Seen> =>
  seen(inspectRaster(bytes, type, rules))

const codes = ({ findings }: Seen): string[] =>
  findings.filter(({ severity }) => severity !== 'info').map(({ code, severity }) => `${code} ${severity}`)

test('a picture in the shape of the product with its bleed is whole', async () => {
  for (const [type, bytes] of [
    ['image/png', await flat(width, height).png().toBuffer()],
    ['image/jpeg', await flat(width, height).jpeg().toBuffer()],
    ['image/tiff', await flat(width, height).tiff().toBuffer()],
    ['image/webp', await flat(width, height).webp().toBuffer()],
  ] as const) {
    const shown = await inspect(bytes, cardRules, type)
    assert.deepEqual(codes(shown), [], type)
    const large = await shown.picture(1, 'large')
    assert.deepEqual([large.width, large.height], [1600, 960])
    assert.match(large.at(0.5, 0.5), /^20[2-6] 5\d 1\d$/)
    const finished = await shown.picture(1, 'finished')
    assert.deepEqual([finished.width, finished.height], [1200, 686])
  }
})

test('the boxes of a picture are those of the product in its format', async () => {
  const reports = inspectRaster(await flat(width, height).png().toBuffer(), 'image/png', cardRules)
  const { value: first } = await reports.next()
  await reports.return(undefined)
  assert.ok(first?.kind === 'findings' && first.readable && first.mediaType === 'image/png')
  assert.deepEqual(first.pages, [
    { page: 1, width: 270, height: 162, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] },
  ])
})

test('a picture in the shape of the finished product has no bleed', async () => {
  const shown = await inspect(await flat(1050, 600).png().toBuffer())
  assert.deepEqual(codes(shown), ['bleed_missing error'])
  assert.deepEqual((await shown.picture(1, 'finished')).width, 1200)
})

test('a square picture for a square product is taken with its bleed', async () => {
  const square = { ...cardRules, trimWidth: 144, trimHeight: 144 }
  const reports = inspectRaster(await flat(675, 675).png().toBuffer(), 'image/png', square)
  const { value: first } = await reports.next()
  await reports.return(undefined)
  assert.ok(first?.kind === 'findings')
  assert.deepEqual(first.pages[0]?.trimBox, [9, 9, 153, 153])
})

test('a picture of another shape is told with both proportions', async () => {
  const { findings } = await inspect(await flat(1000, 1000).png().toBuffer())
  const shape = findings.find(({ code }) => code === 'shape_differs')
  assert.deepEqual([shape?.severity, shape?.found, shape?.wanted], ['error', '1 : 1', '1.667 : 1'])
})

test('a picture that lies the other way is told', async () => {
  const shown = await inspect(await flat(height, width).png().toBuffer())
  assert.deepEqual(codes(shown), ['page_turned sign_off'])
})

test('too few pixels for the size of the product are an error or a warning', async () => {
  const few = (await inspect(await flat(540, 324).png().toBuffer())).findings.find(
    ({ code }) => code === 'pixels_too_few',
  )
  assert.deepEqual([few?.severity, few?.found, few?.wanted, few?.unit], ['error', '144', '150', 'ppi'])
  assert.deepEqual(codes(await inspect(await flat(720, 432).png().toBuffer())), ['pixels_too_few warning'])
  assert.deepEqual(codes(await inspect(await flat(720, 432).png().toBuffer(), noRules)), [])
})

test('what is wrong with the shape and the size of a picture stands on its first page', async () => {
  for (const [code, [across, down], box] of [
    ['bleed_missing', [1050, 600], [0, 0, 252, 144]],
    ['page_turned', [height, width], [0, 0, 162, 270]],
    ['pixels_too_few', [540, 324], [0, 0, 270, 162]],
    ['shape_differs', [1000, 1000], [0, 0, 240, 240]],
  ] as const) {
    const { findings } = await inspect(await flat(across, down).png().toBuffer())
    const told = findings.find((each) => each.code === code)
    assert.deepEqual([told?.page, told?.box], [1, box], code)
  }
})

test('a picture that its camera stored turned is shown upright', async () => {
  const halves = await flat(height, width, '#f00')
    .composite([{ input: await flat(height, 300, '#00f').png().toBuffer(), gravity: 'north' }])
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const shown = await inspect(halves, cardRules, 'image/jpeg')
  assert.deepEqual(codes(shown), [])
  assert.ok(shown.findings.some(({ code }) => code === 'orientation_by_exif'))
  const large = await shown.picture(1, 'large')
  // The top of what is stored is the right of what is shown.
  assert.match(large.at(0.95, 0.5), /^[0-3] [0-3] 25\d$/)
  assert.match(large.at(0.05, 0.5), /^25\d [0-3] [0-3]$/)
})

test('transparent areas are shown as the white that they are printed', async () => {
  const clear = { r: 255, g: 0, b: 0, alpha: 0.5 }
  const half = sharp({ create: { width, height, channels: 4, background: clear } })
  const shown = await inspect(await half.png().toBuffer())
  assert.deepEqual(codes(shown), ['has_alpha warning'])
  assert.match((await shown.picture(1, 'large')).at(0.5, 0.5), /^255 12[78] 12[78]$/)
  const opaque = await inspect(await flat(width, height).ensureAlpha().png().toBuffer())
  assert.deepEqual(codes(opaque), [], 'a channel that hides nothing is not told')
})

test('colours without a profile, and colours that are not inks, are mentioned', async () => {
  const infos = async (bytes: Buffer): Promise<string[]> =>
    (await inspect(bytes)).findings.filter(({ severity }) => severity === 'info').map(({ code }) => code)
  assert.deepEqual(await infos(await flat(width, height).png().toBuffer()), ['colour_profile_missing', 'rgb_used'])
  assert.deepEqual(await infos(await flat(width, height).withIccProfile('srgb').png().toBuffer()), ['rgb_used'])
  assert.deepEqual(await infos(await flat(width, height).toColourspace('b-w').png().toBuffer()), [])
  assert.deepEqual(await infos(await cmykJpeg(width, height, () => [0, 0, 0, 0])), ['colour_profile_missing'])
})

test('inks look as they do in print', async () => {
  const bars = [
    [255, 0, 0, 0],
    [0, 255, 0, 0],
    [0, 0, 255, 0],
    [0, 0, 0, 255],
  ] as const
  const picture = await cmykJpeg(width, height, (x) => bars[Math.floor(x * 4)]!, 100)
  const large = await (await inspect(picture, cardRules, 'image/jpeg')).picture(1, 'large')
  const near = (colour: string, wanted: readonly number[]): void =>
    colour.split(' ').forEach((value, index) => assert.ok(Math.abs(Number(value) - wanted[index]!) < 4, colour))
  near(large.at(0.1, 0.5), [0, 174, 239])
  near(large.at(0.4, 0.5), [236, 0, 140])
  near(large.at(0.6, 0.5), [255, 242, 0])
  near(large.at(0.9, 0.5), [35, 31, 32])
})

test('inks of 16 bits are those of their twin of 8 bits, with a profile and without', async () => {
  const data = Buffer.alloc(width * height * 4)
  data.fill(Buffer.from([230, 20, 0, 0]), 0, data.length / 2).fill(Buffer.from([0, 0, 0, 128]), data.length / 2)
  const samples = { width, height, channels: 4 as const, data }
  for (const profile of [null, readFileSync(new URL('../colour/CGATS001Compat-v2-micro.icc', import.meta.url))]) {
    const inEight = writeTiff(samples, profile)
    // Both bytes of a sample are the same, as 255 is 65,535.
    const inSixteen = writeTiff({ ...samples, data: Buffer.from([...data].flatMap((ink) => [ink, ink])) }, profile)
    const entryOfBits = 10 + 2 * 12
    const bits = inSixteen.readUInt32LE(entryOfBits + 8)
    for (let channel = 0; channel < 4; channel++) inSixteen.writeUInt16LE(16, bits + channel * 2)
    const [twin, large] = await Promise.all(
      [inEight, inSixteen].map(async (bytes) => (await inspect(bytes, cardRules, 'image/tiff')).picture(1, 'large')),
    )
    for (const y of [0.2, 0.8]) assert.equal(large!.at(0.5, y), twin!.at(0.5, y))
  }
})

test('more ink than the product takes is told with where it is', async () => {
  const lake = await cmykJpeg(width, height, (x, y) => (x > 0.5 && y < 0.5 ? [230, 230, 204, 204] : [50, 20, 0, 0]))
  const { findings } = await inspect(lake, cardRules, 'image/jpeg')
  const told = findings.find(({ code }) => code === 'ink_coverage_high')!
  assert.ok(Math.abs(Number(told.found) - 340) <= 2, told.found!)
  assert.deepEqual([told.page, told.wanted, told.unit, told.severity], [1, '300', '%', 'warning'])
  for (const [index, side] of [135, 81, 270, 162].entries()) assert.ok(Math.abs(told.box![index]! - side) < 2)

  const speck = await cmykJpeg(width, height, (x, y) => (x < 0.02 && y < 0.02 ? [255, 255, 255, 255] : [50, 20, 0, 0]))
  assert.deepEqual(codes(await inspect(speck, cardRules, 'image/jpeg')), [], 'a speck does not smear')
})

test('each picture of a TIFF is a page', async () => {
  const samples = (value: number) => ({
    width,
    height,
    channels: 3 as const,
    data: Buffer.alloc(width * height * 3, value),
  })
  // The second directory stands behind the first file; all its offsets count from the start.
  const [one, other] = [writeTiff(samples(200), null), writeTiff(samples(100), null)]
  const shift = one.length + (one.length % 2)
  const entries = other.readUInt16LE(8)
  for (let at = 10; at < 10 + entries * 12; at += 12)
    if ([258, 273].includes(other.readUInt16LE(at))) other.writeUInt32LE(other.readUInt32LE(at + 8) + shift, at + 8)
  one.writeUInt32LE(shift + 8, 10 + one.readUInt16LE(8) * 12)
  const shown = await inspect(Buffer.concat([one, Buffer.alloc(shift - one.length), other]), cardRules, 'image/tiff')
  assert.equal((await shown.picture(1, 'large')).at(0.5, 0.5), '200 200 200')
  assert.equal((await shown.picture(2, 'large')).at(0.5, 0.5), '100 100 100')
  assert.equal(shown.findings.filter(({ code }) => code === 'page_count_wrong').length, 0)

  const [needsFour, wantsOne] = [
    { ...cardRules, pagesMin: 4, pagesMax: null },
    { ...cardRules, pagesMin: null, pagesMax: 0 },
  ]
  for (const [rules, wanted] of [
    [needsFour, 'at least 4'],
    [wantsOne, 'at most 0'],
    [{ ...cardRules, pagesMultiple: 2 }, '1 to 2, a multiple of 2'],
  ] as const) {
    const { findings } = await inspect(await flat(width, height).png().toBuffer(), rules)
    assert.equal(findings.find(({ code }) => code === 'page_count_wrong')?.wanted, wanted)
  }
})

test('a damaged picture is told and shown as far as it goes; what is none is not readable', async () => {
  const whole = await flat(width, height).jpeg().toBuffer()
  const damaged = await inspect(whole.subarray(0, whole.length - 600), cardRules, 'image/jpeg')
  assert.deepEqual(codes(damaged)[0], 'image_broken error')
  assert.equal(damaged.pictures.length, 5)
  const none = await inspect(Buffer.from('no picture'), cardRules)
  assert.deepEqual([codes(none), none.pictures], [['not_readable error'], []])
})

test('more pixels than can be handled are told without looking at them', async () => {
  const head = await flat(100, 60).png().toBuffer()
  head.writeUInt32BE(30_000, 16)
  head.writeUInt32BE(18_000, 20)
  const shown = await inspect(head)
  assert.deepEqual([codes(shown), shown.pictures], [['image_too_large error'], []])
})
