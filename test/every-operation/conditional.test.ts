import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import {
  methodOf,
  pathOf,
  pathParameterNames,
  type AnyOperation,
  type Operation,
} from '../../src/contract/operation.ts'
import { sql } from '../../src/database/sql.ts'
import { api } from '../../src/resources/api.ts'
import { control } from '../../src/sandbox/control/contract.ts'
import { staffApi } from '../../src/staff/api.ts'
import { isUnsafe } from '../../src/staff/operation.ts'
import { staffPathParameters, type StaffPathParameterName } from '../../src/staff/parameters.ts'
import { staffSamples, usualPath, type Sample } from '../every-staff-operation/samples.ts'
import { lockWait } from '../world/lock-waits.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner, send } from '../world/partner.ts'
import { placed, publishProof } from '../world/production.ts'
import { sandboxPartner } from '../world/sandbox.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { operationIds, ownIds, sampleCall, urlOf, type PathIds } from './sample-calls.ts'

/** ETag, If-None-Match and If-Match at every operation of every API. */
const service = await testService()
const primary = await partner(service, 'primary')
const admin = await staff(service)
const ids: PathIds = { ...ownIds(service.manifest), checkId: await newCheck() }
const { fixtures } = service.manifest

/** Their answers differ from moment to moment: a clock, what is left of the limits, freshly signed links. */
const neverTheSame = new Set(['ping', 'getMe', 'getProof', 'getArtwork', 'getArtworkRequirements'])
/** What is decided once, so that it is tested apart. */
const decisions: ReadonlySet<string> = new Set<keyof typeof api>(['approveProof', 'declineProof'])

/** A check of the product of `ids` that awaits its file. */
async function newCheck(): Promise<string> {
  const { body } = await primary.post(
    urlOf('createArtworkCheck', sampleCall('createArtworkCheck', ownIds(service.manifest))),
    {
      fileName: 'cards.pdf',
    },
  )
  return body.checkId
}

const strongTag = /^"[\w-]{27}(\.[\w-]{27})?(-gzip)?"$/

test('every read answers a strong ETag, and 304 without a body to whoever sends it back', async () => {
  let lists = 0
  for (const id of operationIds.filter((each) => methodOf(api[each]) === 'GET')) {
    const sample = sampleCall(id, id === 'getProductTemplate' ? { ...ids, productId: fixtures.products.template } : ids)
    const url = urlOf(id, { ...sample, query: (api[id] as Operation).query?.limit ? 'limit=1' : '' })
    const first = await primary.get(url)
    assert.equal(first.status, 200, id)
    const tag = first.headers.get('etag')!
    assert.match(tag, strongTag, id)
    if (neverTheSame.has(id)) continue
    if ((api[id] as Operation).collection && first.body.nextCursor !== null) lists++
    for (const ifNoneMatch of [tag, `W/${tag}`, `"x", ${tag}`, '*', tag.replace(/(-gzip)?"$/, '-gzip"')]) {
      const again = await primary.call('GET', url, undefined, { 'if-none-match': ifNoneMatch })
      assert.deepEqual([again.status, again.body], [304, undefined], `${id} ${ifNoneMatch}`)
      assert.equal(again.headers.get('etag'), tag, id)
      assert.equal(again.headers.get('cache-control'), 'no-store')
      for (const name of ['content-type', 'content-length']) assert.equal(again.headers.get(name), null, name)
    }
    for (const other of ['"x"', tag.slice(1, -1), '"', '']) {
      assert.equal(
        (await primary.call('GET', url, undefined, { 'if-none-match': other })).status,
        200,
        `${id} ${other}`,
      )
    }
  }
  assert.ok(lists >= 5, `${lists} lists had a next page`)
})

test('the ETag of a record changes when the record does', async () => {
  const path = `/v1/divisions/${ids.divisionId}`
  const tag = async () => (await primary.get(path)).headers.get('etag')
  const before = await tag()
  assert.equal((await primary.patch(path, { name: 'Renamed for its tag' })).status, 200)
  assert.notEqual(await tag(), before)
})

test('every change names a read of the same record, from whose path it takes the parameters', () => {
  for (const operations of [api, control, staffApi] as Readonly<Record<string, AnyOperation>>[]) {
    for (const entry of Object.values(operations)) {
      const isChange = ['PATCH', 'PUT'].includes(methodOf(entry)) || decisions.has(entry.id)
      assert.equal(entry.revises !== undefined, isChange, entry.id)
      if (!isChange) continue
      const read = operations[entry.revises!]!
      assert.equal(methodOf(read), 'GET', entry.id)
      const own = pathParameterNames<string>(entry)
      for (const name of pathParameterNames<string>(read)) assert.ok(own.includes(name), `${entry.id} ${name}`)
    }
  }
})

/** A change as a test may send it, and the read whose ETag it names. */
type Change = {
  id: string
  read: () => Promise<{ status: number; body: unknown; tag: string | null }>
  change: (ifMatch?: string) => Promise<{ status: number; body: { code?: string } }>
}

function partnerChanges(): Change[] {
  return operationIds
    .filter((id) => (api[id] as Operation).revises && !decisions.has(id))
    .map((id) => {
      const entry: Operation = api[id]
      const sample = sampleCall(id, ids)
      if (id === 'updateVariant' || id === 'replaceProductSegments' || id === 'updateProduct') {
        sample.path.productId = fixtures.products.stock
      }
      // A site's ordering user, which the plain user may be by now, stays active.
      if (id === 'updateUser') sample.body = { company: 'Conditional Ltd.' }
      const readUrl = pathOf(api[entry.revises as keyof typeof api]).replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => sample.path[name]!,
      )
      return {
        id,
        read: async () => {
          const { status, body, headers } = await primary.get(readUrl)
          return { status, body, tag: headers.get('etag') }
        },
        change: (ifMatch) =>
          primary.call(
            methodOf(entry),
            urlOf(id, sample),
            sample.body,
            ifMatch === undefined ? {} : { 'if-match': ifMatch },
          ),
      }
    })
}

function staffUrl(entry: AnyOperation, sample: Sample): string {
  const some = '00000000-0000-4000-8000-000000000000'
  const values: Record<string, unknown> = { ...usualPath(service), ...sample.path }
  return pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const isNumber =
      (staffPathParameters[name as StaffPathParameterName].schema as TSchema & { type?: string }).type === 'integer'
    return encodeURIComponent(String(values[name] ?? (isNumber ? '1' : some)))
  })
}

async function staffChange(id: keyof typeof staffApi): Promise<Change> {
  const entry: AnyOperation = staffApi[id]!
  const sample = await staffSamples[id]!({ service, admin })
  const person = sample.as ?? admin
  return {
    id,
    read: async () => {
      const { status, body, headers } = await person.get(staffUrl(staffApi[entry.revises as typeof id]!, sample))
      return { status, body, tag: headers.get('etag') }
    },
    change: (ifMatch) =>
      person.call(methodOf(entry), staffUrl(entry, sample), sample.body, {
        ...sample.headers,
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      }),
  }
}

/** A body without signed links, which differ from read to read. */
const withoutLinks = (body: unknown) => JSON.stringify(body).replaceAll(/\?[^"]*X-Amz-Signature[^"]*/g, '')

async function assertConditional({ id, read, change }: Change): Promise<void> {
  const before = await read()
  assert.equal(before.status, 200, id)
  for (const stale of ['"x"', `W/${before.tag}`, before.tag!.slice(1, -1), '']) {
    const refused = await change(stale)
    assert.deepEqual([refused.status, refused.body.code], [412, 'precondition_failed'], `${id} ${stale}`)
  }
  assert.equal(withoutLinks((await read()).body), withoutLinks(before.body), `${id} changed something`)
  // Of two who read the same revision and write at once, one wins.
  const { tag } = await read()
  const both = await Promise.all([change(tag!), change(`"x", ${tag!.replace(/"$/, '-gzip"')}`)])
  const after = await read()
  const statuses = both.map(({ status }) => status).toSorted()
  assert.ok(statuses[0]! < 300, `${id}: ${JSON.stringify(both.map(({ body }) => body))}`)
  // A change that leaves the record as it was refuses nobody.
  if (withoutLinks(after.body) !== withoutLinks(before.body))
    assert.equal(statuses[1], 412, `${id}: ${statuses.join()}`)
}

// Before the partners' changes, one of which deactivates a user.
test('PATCH and PUT of staff honour If-Match: of two editors of one revision one wins, and 412 changes nothing', async () => {
  for (const entry of Object.values(staffApi).filter(({ id, revises }) => revises && !decisions.has(id))) {
    assert.ok(isUnsafe(entry))
    await assertConditional(await staffChange(entry.id as keyof typeof staffApi))
  }
})

test('PATCH and PUT of partners honour If-Match in the same way', async () => {
  for (const each of partnerChanges()) {
    await assertConditional(each)
    assert.ok((await each.change('*')).status < 300, each.id)
  }
})

test('If-Match at a receiver of the sandbox', async () => {
  const tester = await sandboxPartner(service)
  const { receiverId } = (await tester.post('/sandbox/receivers', control.registerReceiver.body.example)).body
  const path = `/sandbox/receivers/${receiverId}`
  for (const { id, at, body } of [control.setReceiverMisbehaviour, control.changeReceiver]) {
    await assertConditional({
      id,
      read: async () => {
        const read = await tester.get(path)
        return { ...read, tag: read.headers.get('etag') }
      },
      change: (ifMatch) =>
        send(tester.baseUrl, methodOf({ at }), pathOf({ at }).replace('{receiverId}', receiverId), body.example, {
          authorization: `Bearer ${tester.token}`,
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        }),
    })
  }
})

test('If-Match at a decision: what was looked at is decided once, and a newer revision not at all', async () => {
  for (const id of ['approveProof', 'declineProof'] as const) {
    const [line] = (await placed(primary, orderBuilder(service.manifest).order())).lines
    await publishProof(service, line!)
    const path = `/v1/orders/${line!.orderNumber}/items/${line!.itemNumber}/proof`
    const verb = pathOf(api[id]).split('/').at(-1)!
    const read = async () => {
      const { body, headers } = await primary.get(path)
      return { body, tag: headers.get('etag') }
    }
    const change = (ifMatch: string) =>
      primary.call('POST', `${path}/${verb}`, api[id].body.example, { 'if-match': ifMatch })
    const { tag: first } = await read()
    assert.equal((await primary.post(`${path}/decline`, { reason: 'COLOR' })).status, 200)
    await publishProof(service, line!)
    const late = await change(first!)
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'], id)
    const { body, tag } = await read()
    assert.deepEqual([body.proofStatus, body.files.length], ['PENDING_REVIEW', 2], id)
    // The loser learns that it was late: before it got its turn, or while it waited.
    const both = await Promise.all([change(tag!), change(tag!)])
    const [won, lost] = both.toSorted((one, other) => one.status - other.status)
    assert.equal(won!.status, 200, id)
    assert.ok(['proof_not_pending_review', 'precondition_failed'].includes(lost!.body.code), lost!.body.code)
  }
})

test('text that looks like a signed link is part of the revision', async () => {
  const product = `/v1/products/${fixtures.products.withImages}`
  const read = () => primary.get(`${product}/images`)
  const [{ imageId }] = (await read()).body.images
  const image = `${product}/images/${imageId}`
  for (const link of ['Mug', `${service.hosts.storageUrl}/production/x`]) {
    const alt = (signature: string) => ({
      imageAlt: `${link}?X-Amz-Date=20260101T000000Z&X-Amz-Signature=${signature}`,
    })
    assert.equal((await primary.patch(image, alt('a'.repeat(64)))).status, 200)
    const tag = (await read()).headers.get('etag')!
    assert.equal((await primary.patch(image, alt('b'.repeat(64)))).status, 200)
    const late = await primary.call('PATCH', image, { imageAlt: 'late' }, { 'if-match': tag })
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'], link)
  }
  assert.equal((await primary.patch(image, { imageAlt: null })).status, 200)
})

test('editors of different parts of one record cannot both pass with its ETag either', async () => {
  const productId = fixtures.products.stock
  const product = `/v1/products/${productId}`
  const variant = `${product}/variants/${fixtures.products.stockVariantId}`
  for (let round = 0; round < 5; round++) {
    const tag = (await primary.get(product)).headers.get('etag')!
    const both = await Promise.all([
      primary.call('PATCH', product, { metaKeywords: `round ${round}` }, { 'if-match': tag }),
      primary.call('PATCH', variant, { location: `R-${round}` }, { 'if-match': tag }),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 412])
  }
})

test('a change that another overtakes while it waits for the row is refused and undone', async () => {
  const path = `/v1/divisions/${ids.divisionId}`
  const tag = (await primary.get(path)).headers.get('etag')!
  let late: Promise<{ status: number; body: { code?: string } }> | undefined
  await service.production.database.transaction(async (tx) => {
    await tx.rows(sql`update division set name = 'Overtaken' where division_id = ${Number(ids.divisionId)}`)
    late = primary.call('PATCH', path, { name: 'Late' }, { 'if-match': tag })
    // Its first look saw the old revision; then it waits for this transaction.
    await lockWait(service.production.database, 'division')
  })
  const refused = await late!
  assert.deepEqual([refused.status, refused.body.code], [412, 'precondition_failed'])
  assert.equal((await primary.get(path)).body.name, 'Overtaken')
})

test('If-Match on a record that is not there answers that there is none', async () => {
  const missing = await primary.call('PATCH', '/v1/divisions/987654321', { name: 'X' }, { 'if-match': '"x"' })
  assert.deepEqual([missing.status, missing.body.code], [404, 'division_not_found'])
})
