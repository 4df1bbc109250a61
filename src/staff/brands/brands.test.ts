import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { textColorOn } from '../../platform/sites/brand-rules.ts'
import { readBrand, readBrandFor } from '../../platform/sites/brand.ts'

const service = await testService()
const admin = await staff(service)
const { database, objectStore } = service.production
const { main } = service.manifest.sites
const { partnerId } = service.manifest.partners.primary
const siteBrand = `/staff/v1/production/sites/${main}/brand`
const partnerBrand = `/staff/v1/production/partners/${partnerId}/brand`

const bare = { name: null, color: null, supportEmail: null, senderAddress: [] }
const full = {
  name: 'Meridian Print',
  color: '#FFD400',
  supportEmail: 'help@meridian-print.example',
  senderAddress: ['Meridian Print', '4100 Westerville Rd', 'Columbus, OH 43224'],
}

function picture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 4, background: { r: 11, g: 110, b: 79, alpha: 0.5 } } })
}

test('a site without a brand has its own name and the usual colour', async () => {
  const brand = await readBrand(database.reads, main)
  assert.deepEqual(
    [brand.name, brand.color, brand.textColor, brand.logoKey, brand.senderAddress, brand.siteUrl],
    ['Meridian Print Store', '#2348c7', '#ffffff', null, [], 'https://meridian-print.example'],
  )
})

test('staff set a brand as a whole, and each part can be taken away again', async () => {
  const set = await admin.put(siteBrand, { ...full, taxNumber: '31-4482910' })
  assert.equal(set.status, 200, JSON.stringify(set.body))
  assert.deepEqual(set.body, {
    ...full,
    color: '#ffd400',
    textColor: '#000000',
    taxNumber: '31-4482910',
    logoUrl: null,
  })
  assert.deepEqual((await admin.get(siteBrand)).body, set.body)
  const cleared = await admin.put(siteBrand, { ...bare, taxNumber: null })
  assert.deepEqual([cleared.body.name, cleared.body.color, cleared.body.taxNumber], [null, null, null])
})

test('what is wrong with a brand is said by field, and nothing changes', async () => {
  const found = (await admin.get(siteBrand)).body
  for (const [wrong, detail] of [
    [{ name: ' ' }, /name/],
    [{ color: 'green' }, /color .* #1a6b4f/],
    [{ color: '#12345' }, /color/],
    [{ supportEmail: 'help' }, /supportEmail/],
    [{ senderAddress: ['Main St', ' '] }, /senderAddress/],
    [{ name: 'Invoice \u202Egnp.exe' }, /name .* direction/],
  ] as const) {
    const answer = await admin.put(siteBrand, { ...full, taxNumber: null, ...wrong })
    assert.equal(answer.body.code, 'brand_not_usable', JSON.stringify(wrong))
    assert.match(answer.body.detail, detail)
  }
  assert.deepEqual((await admin.get(siteBrand)).body, found)
  assert.equal((await admin.get('/staff/v1/production/sites/987654/brand')).body.code, 'site_not_found')
})

test('a logo is kept as a small PNG, and a new one takes the place of the former, which is gone', async () => {
  const jpeg = await picture(3_000, 1_000).flatten().jpeg().toBuffer()
  const first = await admin.call('POST', `${siteBrand}/logo`, jpeg, { 'content-type': 'image/jpeg' })
  const kept = Buffer.from(await (await fetch(first.body.logoUrl)).arrayBuffer())
  const { format, width, height } = await sharp(kept).metadata()
  assert.deepEqual([format, width, height], ['png', 1_200, 400])
  const former = (await readBrand(database.reads, main)).logoKey!
  const webp = await picture(40, 20).webp().toBuffer()
  const second = await admin.call('POST', `${siteBrand}/logo`, webp, { 'content-type': 'image/webp' })
  assert.equal(second.status, 200)
  assert.equal(await objectStore.head(former), undefined)
  const strays = await database.statements.rows(sql`select from stray_object where object_key like 'logos/%'`)
  assert.equal(strays.length, 1, 'only the former one')
  assert.equal((await admin.post(`${siteBrand}/logo/remove`)).body.logoUrl, null)
  assert.equal((await readBrand(database.reads, main)).logoKey, null)
})

test('a logo that is not a picture, is of another type or is cut off is refused', async () => {
  const png = await picture(200, 100).png().toBuffer()
  for (const [bytes, type] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
    [png, 'image/jpeg'],
    [png.subarray(0, png.length - 40), 'image/png'],
    [await picture(6_000, 5_000).png().toBuffer(), 'image/png'],
  ] as const) {
    const answer = await admin.call('POST', `${siteBrand}/logo`, bytes, { 'content-type': type })
    assert.equal(answer.body.code, 'not_a_logo')
  }
})

test("a partner's brand takes the place of the site's as a whole, except for a sender that it does not name", async () => {
  await admin.put(siteBrand, { ...full, taxNumber: null })
  const of = () => readBrandFor(database.reads, { siteId: main, partnerId })
  assert.equal((await of()).name, 'Meridian Print')
  await admin.put(partnerBrand, { ...bare, name: 'Northwind Kits' })
  const own = await of()
  assert.deepEqual(
    [own.name, own.color, own.supportEmail, own.senderAddress],
    ['Northwind Kits', '#2348c7', null, full.senderAddress],
  )
  const png = await picture(40, 20).png().toBuffer()
  assert.equal(
    (await admin.call('POST', `${partnerBrand}/logo`, png, { 'content-type': 'image/png' })).body.name,
    'Northwind Kits',
  )
  assert.ok((await of()).logoKey)
  await admin.put(partnerBrand, bare)
  assert.deepEqual([(await of()).name, (await of()).logoKey], ['Meridian Print', null])
  assert.equal((await readBrandFor(database.reads, { siteId: main, partnerId: null })).name, 'Meridian Print')
})

test('text on the colour of a brand can be read on any colour', () => {
  const luminanceOf = (color: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
  }
  for (let step = 0; step < 4_096; step++) {
    const color = `#${[step >> 8, (step >> 4) & 15, step & 15].map((part) => part.toString(16).repeat(2)).join('')}`
    const [dark, light] = [luminanceOf(color), luminanceOf(textColorOn(color))].toSorted((a, b) => a - b)
    assert.ok((light! + 0.05) / (dark! + 0.05) >= 4.5, color)
  }
})
