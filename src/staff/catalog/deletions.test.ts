import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProduct, pixel } from '../../../test/every-staff-operation/samples/catalog.ts'
import { newService } from '../../../test/every-staff-operation/samples/shipping.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { statements } = service.production.database
const { main, second } = service.manifest.sites
const at = '/staff/v1/production'

async function goods(more: Record<string, unknown> = {}) {
  const created = await admin.post(`${at}/sites/${main}/products`, {
    ...newProduct('STOCK'),
    attributeNames: ['Size'],
    variants: [{ attribute1Choice: 'One', sku: 'ONE' }, { attribute1Choice: 'Two' }],
    ...more,
  })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const { productId, variants } = created.body
  await admin.put(`${at}/products/${productId}/prices`, { priceBreaks: [{ fromQuantity: 1, unitPrice: '2' }] })
  return {
    productId,
    path: `${at}/products/${productId}`,
    variantId: variants[0].variantId,
    other: variants[1].variantId,
  }
}

function order({ productId, variantId }: { productId: string; variantId: number }, quantity = 1) {
  const lines = [{ productId, variantId, partnerLineId: 'goods', quantity }]
  return primary.post('/v1/orders', build.order({ lines }))
}

test('a product that was never ordered is deleted with all that belongs to it, and is unknown from then on', async () => {
  const one = await goods({ name: 'Wombat mug' })
  await admin.put(`${one.path}/discounts`, { discounts: [{ percent: '5' }] })
  await admin.put(`${one.path}/segments`, { segmentIds: [service.manifest.fixtures.segments.main[0]] })
  const added = await admin.call('POST', `${one.path}/images`, pixel, { 'content-type': 'image/png' })
  const { imagePath } = added.body.images[0]
  const deleted = await admin.post(`${one.path}/delete`)
  assert.deepEqual([deleted.status, deleted.body], [200, { productId: one.productId }])
  assert.equal((await admin.get(one.path)).body.code, 'product_not_found')
  assert.equal((await admin.post(`${one.path}/delete`)).body.code, 'product_not_found')
  const [known, unknown] = [await primary.get(`/v1/products/${one.productId}`), await primary.get('/v1/products/SLO_1')]
  assert.deepEqual([known.status, known.body.code], [unknown.status, unknown.body.code])
  const found = await primary.get(`/v1/sites/${main}/products?q=wombat`)
  assert.deepEqual(found.body.products, [])
  const number = one.productId.slice(4)
  for (const table of [
    'variant',
    'price_break',
    'product_discount',
    'product_segment',
    'product_image',
    'product_search',
  ]) {
    const left = await service.owner.production.statements.rows({
      text: `select from ${table} where product_number = $1`,
      name: `left-${table}`,
      values: [number],
    })
    assert.deepEqual(left, [], table)
  }
  const strays = await statements.rows(sql`select from stray_object where object_key = ${imagePath}`)
  assert.equal(strays.length, 1)
})

test('what names a product is told in words and numbers, and then it can be archived and brought back', async () => {
  const one = await goods()
  await admin.post(`${one.path}/variants/${one.variantId}/stock`, { counted: 40, reason: 'Counted' })
  await admin.post(`${one.path}/shares`, { siteId: second })
  assert.equal((await order(one)).status, 201)
  await order(one)
  const refused = await admin.post(`${one.path}/delete`)
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.detail],
    [
      409,
      'in_use',
      'It cannot be deleted, because of 2 order lines, 1 share and 38 stocked pieces. Archive it instead.',
    ],
  )
  const listed = async (query = '') =>
    (await admin.get(`${at}/products?siteId=${main}&limit=200${query}`)).body.products.some(
      ({ productId }: { productId: string }) => productId === one.productId,
    )
  const archived = await admin.post(`${one.path}/archive`)
  assert.deepEqual([archived.status, archived.body.active, archived.body.archivedOn !== null], [200, false, true])
  assert.deepEqual([await listed(), await listed('&archived=true')], [false, true])
  assert.equal((await admin.patch(one.path, { active: true })).body.code, 'product_not_usable')
  assert.equal((await order(one)).body.status, 'failed')
  const restored = await admin.post(`${one.path}/restore`)
  assert.deepEqual([restored.body.active, restored.body.archivedOn], [false, null])
  await admin.patch(one.path, { active: true })
  assert.deepEqual([await listed(), await listed('&archived=true')], [true, false])
  assert.equal((await order(one)).body.status, 'completed')
})

test('a variant that was never ordered goes from the shares too; one that was stays', async () => {
  const one = await goods()
  const share = (await admin.post(`${one.path}/shares`, { siteId: second })).body
  await order(one)
  const used = await admin.post(`${one.path}/variants/${one.variantId}/delete`)
  assert.deepEqual([used.status, used.body.code], [409, 'in_use'])
  assert.match(used.body.detail, /1 order line\b/)
  const ofShare = `${at}/products/${share.productId}/variants/${share.variants[1].variantId}/delete`
  assert.equal((await admin.post(ofShare)).body.code, 'variants_of_master')
  const left = await admin.post(`${one.path}/variants/${one.other}/delete`)
  assert.equal(left.body.variants.length, 1)
  assert.equal((await admin.get(`${at}/products/${share.productId}`)).body.variants.length, 1)
  assert.equal((await admin.post(`${one.path}/variants/${one.other}/delete`)).body.code, 'variant_not_found')
})

test('an order that is placed while its product is deleted fails as for an unknown product, or keeps the product', async () => {
  const one = await goods()
  // The order waits for a deletion that is under way and then finds the product gone.
  const { placing } = await service.owner.production.transaction(async (tx) => {
    await tx.rows(sql`select from product where product_number = ${Number(one.productId.slice(4))} for update`)
    await tx.rows(sql`delete from price_break where product_number = ${Number(one.productId.slice(4))}`)
    await tx.rows(sql`delete from variant where product_number = ${Number(one.productId.slice(4))}`)
    await tx.rows(sql`delete from product where product_number = ${Number(one.productId.slice(4))}`)
    const waiting = order(one)
    await lockWait(service.owner.production, 'insert into orders')
    return { placing: waiting }
  })
  const { body } = await placing
  assert.equal(body.status, 'failed')
  assert.equal(body.errors[0].code, 'order_rejected')

  for (let round = 0; round < 5; round++) {
    const each = await goods()
    const [deleted, ordered] = await Promise.all([admin.post(`${each.path}/delete`), order(each)])
    assert.equal(ordered.status, 201, JSON.stringify(ordered.body))
    assert.equal(ordered.body.status === 'completed', deleted.status === 409, JSON.stringify([deleted, ordered.body]))
  }
})

test('services, centers and segments go when nothing names them, and say what does', async () => {
  const services = `${at}/sites/${main}/shipping-services`
  const fresh = (await admin.post(services, { ...newService(), enabled: true })).body
  await admin.put(`${services}/${fresh.shippingServiceId}/rates`, { rates: [{ upToOunces: '10', price: '1' }] })
  assert.equal((await admin.post(`${services}/${fresh.shippingServiceId}/delete`)).status, 200)
  assert.equal(
    (await admin.patch(`${services}/${fresh.shippingServiceId}`, { enabled: true })).body.code,
    'service_not_found',
  )
  await primary.post('/v1/orders', build.order())
  const used = (await statements.row<{ id: number }>(sql`
    select shipping_service_id as id from orders where site_id = ${main} and shipping_service_id is not null limit 1`))!
  const refused = await admin.post(`${services}/${used.id}/delete`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
  assert.match(refused.body.detail, /orders? and .* shipments?\./)
  const archived = await admin.post(`${services}/${used.id}/archive`)
  assert.deepEqual([archived.body.enabled, archived.body.isDefault], [false, false])
  const ids = async (query = '') =>
    (await admin.get(`${services}${query}`)).body.services.map(
      ({ shippingServiceId }: { shippingServiceId: number }) => shippingServiceId,
    ) as number[]
  assert.deepEqual([(await ids()).includes(used.id), await ids('?archived=true')], [false, [used.id]])
  assert.equal((await admin.patch(`${services}/${used.id}`, { enabled: true })).body.code, 'service_not_usable')
  await admin.post(`${services}/${used.id}/restore`)
  assert.equal((await admin.patch(`${services}/${used.id}`, { enabled: true })).body.enabled, true)

  const centers = `${at}/fulfilment-centers`
  const busy = await admin.post(`${centers}/1/delete`)
  assert.match(busy.body.detail, /because of \d+ products.*Archive it instead\./)
  const stopped = await admin.post(`${centers}/1/archive`)
  assert.deepEqual(
    [stopped.body.code, /Still \d+ active products/.test(stopped.body.detail)],
    ['products_made_here', true],
  )
  const place = { name: 'Austin', countryCode: 'US', stateCode: 'TX', postalCode: '73301', timeZone: 'America/Chicago' }
  const { fulfilmentCenterId } = (await admin.post(centers, place)).body
  await admin.put(`${centers}/${fulfilmentCenterId}/zones`, { zones: [{ countryCode: 'US', zone: 1 }] })
  await admin.post(`${centers}/${fulfilmentCenterId}/archive`)
  const { fulfilmentCenters } = (await admin.get(`${centers}?archived=true`)).body
  assert.deepEqual(
    fulfilmentCenters.map(({ name }: { name: string }) => name),
    ['Austin'],
  )
  assert.equal((await admin.post(`${centers}/${fulfilmentCenterId}/delete`)).status, 200)
  assert.equal((await admin.get(`${centers}/${fulfilmentCenterId}/zones`)).body.code, 'fulfilment_center_not_found')

  const [ofProducts] = service.manifest.fixtures.segments.main
  assert.match(
    (await admin.post(`${at}/segments/${ofProducts}/delete`)).body.detail,
    /because of .*Remove them first\./,
  )
  const { segmentId } = (await admin.post(`${at}/segments`, { siteId: main, name: 'Short-lived' })).body
  assert.equal((await admin.post(`${at}/segments/${segmentId}/delete`)).status, 200)
  assert.equal((await admin.get(`${at}/segments/${segmentId}`)).body.code, 'segment_not_found')
})
