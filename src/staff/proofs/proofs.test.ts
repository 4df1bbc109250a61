import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { acceptedFile, placed } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import { pdfBytes, pngBytes, uploaded } from '../../../test/every-staff-operation/samples/placed-order.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

async function newLine() {
  const { orderNumber, lines } = await placed(primary, build.order())
  const line = `/staff/v1/production/orders/${orderNumber}/lines/1`
  return {
    line,
    placedLine: lines[0]!,
    post: (verb: string, body?: unknown) => admin.post(`${line}/proof/${verb}`, body),
    shown: async () => (await primary.get(`/v1/orders/${orderNumber}/items/${lines[0]!.itemNumber}/proof`)).body,
  }
}

test('PRF-16 PRF-18 PRF-28 staff decide on behalf of the customer, with a reason that the line offers', async () => {
  const { line, placedLine, post, shown } = await newLine()
  assert.equal((await post('publish')).body.code, 'not_in_proofing')
  assert.equal((await post('approve')).body.code, 'proof_not_pending_review')
  await post('enter')
  assert.equal((await post('enter')).body.code, 'already_in_proofing')
  await post('publish')
  assert.equal((await post('publish')).body.code, 'proof_pending_review')

  const { reasons } = (await admin.get(`${line}/proof/denial-reasons`)).body
  assert.ok(reasons.some(({ code }: { code: string }) => code === 'COLOR'))
  const notOffered = await post('decline', { reason: 'TEMPLATE_DATA' })
  assert.deepEqual([notOffered.status, notOffered.body.code], [422, 'denial_reason_not_available'])
  assert.match(notOffered.body.detail, /COLOR/)
  const declined = (await post('decline', { reason: 'COLOR', comment: 'Too dark' })).body.lines[0]
  assert.deepEqual([declined.proofStatus, declined.productionStatus], ['DECLINED', 'PREPRESS'])
  assert.deepEqual(declined.proofLog[0], {
    ...declined.proofLog[0],
    actorKind: 'STAFF',
    actorId: 'demo',
    entry: 'Declined by staff. Reason: COLOR. Comment: Too dark',
  })
  assert.equal((await admin.post(`${line}/advance`)).body.code, 'proof_not_approved')

  await post('publish')
  await acceptedFile(service, placedLine)
  const approved = (await post('approve')).body.lines[0]
  assert.deepEqual([approved.proofStatus, approved.productionStatus], ['APPROVED', 'QUEUED'])
  assert.deepEqual(
    approved.proofs.map(({ active }: { active: boolean }) => active),
    [false, true],
  )
  assert.equal((await post('publish')).body.code, 'proof_approved')
  assert.equal((await shown()).proofStatus, 'APPROVED')
})

test('with If-Match staff decide only the proof that they looked at', async () => {
  for (const [verb, body] of [
    ['approve', {}],
    ['decline', { reason: 'COLOR' }],
  ] as const) {
    const { line, post, shown } = await newLine()
    const order = line.slice(0, line.indexOf('/lines/'))
    const read = async () => (await admin.get(order)).headers.get('etag')!
    const decide = (ifMatch: string) => admin.call('POST', `${line}/proof/${verb}`, body, { 'if-match': ifMatch })
    await post('enter')
    await post('publish')
    const seen = await read()
    await post('decline', { reason: 'COLOR' })
    await post('publish')
    const late = await decide(seen)
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'], verb)
    assert.equal((await shown()).proofStatus, 'PENDING_REVIEW')
    // Its links are signed anew at every look, and it is still the same proof.
    const now = await read()
    await until(async () => (await read()) !== now)
    assert.equal((await decide(now)).status, 200, verb)
  }
})

test('PRF-10 archived proofs stay listed without links, for staff and partner, until they are retrieved', async () => {
  const { post, shown } = await newLine()
  assert.equal((await post('archive')).body.code, 'no_such_proofs')
  await post('enter')
  await post('publish')
  const [archived] = (await post('archive')).body.lines[0].proofs
  assert.deepEqual([archived.link, archived.previewLink], [null, null])
  assert.deepEqual([(await shown()).files[0].link, (await shown()).visualUrl], [null, null])
  assert.equal((await post('archive')).body.code, 'no_such_proofs')
  const [retrieved] = (await post('retrieve')).body.lines[0].proofs
  assert.equal((await fetch(retrieved.link)).status, 200)
  assert.equal((await fetch((await shown()).files[0].link)).status, 200)
})

test('PRF-11 a proof made elsewhere is uploaded straight to storage and published byte for byte', async () => {
  const { line, post, shown } = await newLine()
  await post('enter')
  const [file, preview] = [await uploaded({ admin }, { line }, pdfBytes), await uploaded({ admin }, { line }, pngBytes)]
  assert.equal((await post('publish-uploaded', { file: preview, preview: file })).body.code, 'proof_file_not_pdf')
  assert.equal((await post('publish-uploaded', { file, preview })).body.lines[0].proofStatus, 'PENDING_REVIEW')
  const proof = await shown()
  const fetched = async (link: string) => Buffer.from(await (await fetch(link)).arrayBuffer()).toString('latin1')
  assert.ok((await fetched(proof.files[0].link)) === pdfBytes)
  assert.ok((await fetched(proof.visualUrl)) === pngBytes)
  await post('decline', { reason: 'COLOR' })
  assert.equal((await post('publish-uploaded', { file, preview })).body.code, 'reservation_not_usable')
})
