import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { PNG } from 'pngjs'
import { sql } from '../../database/sql.ts'
import { done } from '../../../test/world/done.ts'
import { advanceProduction } from '../../platform/lines/advance-production.ts'
import { cancelLine } from '../../platform/orders/cancel-line.ts'
import { setProofsArchived } from '../../platform/proofs/archive-proofs.ts'
import { callTool } from '../../../test/world/mcp.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { acceptedFile, byStaff, placed, publishProof, type PlacedLine } from '../../../test/world/production.ts'
import { readPdf } from '../../../test/world/read-pdf.ts'
import { entryInWords, proofComments } from '../../platform/proofs/proof-log.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

type Line = { orderNumber: number; itemNumber: number }

type ProofFile = { name: string; link: string | null; active: boolean; createdOn: string }

const proofOf = ({ orderNumber, itemNumber }: Line): string => `/v1/orders/${orderNumber}/items/${itemNumber}/proof`

async function rows<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.owner.production.statements.rows<Row>(query)
}

/** A line of a new order whose proof waits for a decision. */
async function awaitingReview(): Promise<PlacedLine> {
  const { lines } = await placed(primary, build.order())
  await publishProof(service, lines[0]!)
  return lines[0]!
}

async function lineNow({ orderNumber, itemNumber }: Line): Promise<Record<string, unknown>> {
  const { body } = await primary.get(`/v1/orders/${orderNumber}/items`)
  return body.items.find((item: Line) => item.itemNumber === itemNumber)
}

async function logOf({ orderNumber }: Line): Promise<{ entry: string; actorKind: string; actorId: string }[]> {
  return rows(sql`
    select ${entryInWords} as entry, actor_kind, actor_id from proof_log_entry ${proofComments}
    where proof_log_entry.order_number = ${orderNumber} order by proof_log_entry_id`)
}

async function setProofStatus({ orderNumber, itemNumber }: Line, status: string | null): Promise<void> {
  await rows(sql`
    update order_line set proof_status = ${status} where order_number = ${orderNumber} and item_number = ${itemNumber}`)
}

function assertRefused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
}

async function fetched(url: string): Promise<{ type: string | null; disposition: string | null; bytes: Buffer }> {
  const answer = await fetch(url)
  assert.equal(answer.status, 200, await answer.clone().text())
  return {
    type: answer.headers.get('content-type'),
    disposition: answer.headers.get('content-disposition'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  }
}

async function assertPdf(bytes: Buffer): Promise<void> {
  const { title, pages } = await readPdf(bytes)
  assert.match(title, /^Proof of order \d+, revision \d+$/)
  assert.ok(pages.length > 0)
}

function assertPng(bytes: Buffer): void {
  const { width, height } = PNG.sync.read(bytes, { checkCRC: true })
  assert.equal(Math.max(width, height), 1_200)
}

test('PRF-01 PRF-05 PRF-06 PRF-09 a proof shows its state, its files and its preview, and the links open them', async () => {
  const line = service.manifest.fixtures.orders.pendingReview
  const { status, body } = await primary.get(proofOf(line))
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).toSorted(), ['files', 'itemNumber', 'orderNumber', 'proofStatus', 'visualUrl'])
  assert.deepEqual([body.orderNumber, body.itemNumber], [line.orderNumber, line.itemNumber])
  assert.equal(body.proofStatus, 'PENDING_REVIEW')
  assert.equal(body.proofStatus, (await lineNow(line)).proofStatus)
  assert.equal(body.files.length, 1)
  const [file] = body.files as ProofFile[]
  assert.deepEqual(Object.keys(file!).toSorted(), ['active', 'createdOn', 'link', 'name'])

  const document = await fetched(file!.link!)
  assert.equal(document.type, 'application/pdf')
  assert.match(document.disposition!, new RegExp(`filename="${file!.name}"`))
  await assertPdf(document.bytes)
  assert.ok(document.bytes.includes(String(line.orderNumber)))
  const preview = await fetched(body.visualUrl)
  assert.equal(preview.type, 'image/png')
  assertPng(preview.bytes)
})

test('MCP-01 PRF-06 an agent sees the preview of the newest revision beside the answer', async () => {
  const line = await awaitingReview()
  assert.equal((await primary.post(`${proofOf(line)}/decline`, { reason: 'COLOR' })).status, 200)
  await publishProof(service, line)
  const ids = { orderNumber: line.orderNumber, itemNumber: line.itemNumber }
  const { body, images } = await callTool(primary, 'get_proof', ids)
  const preview = await fetched(body.visualUrl)
  assert.deepEqual(images, [{ type: 'image', mimeType: 'image/png', data: preview.bytes.toString('base64') }])

  await rows(sql`update proof_file set consumer_visible = false where order_number = ${line.orderNumber}`)
  assert.deepEqual((await callTool(primary, 'get_proof', ids)).images, [], 'what is not for the consumer')
})

test('PRF-09 PRF-05 links are signed and short-lived: altered ones open nothing', async () => {
  const { body } = await primary.get(proofOf(service.manifest.fixtures.orders.pendingReview))
  for (const link of [body.files[0].link, body.visualUrl] as string[]) {
    const url = new URL(link)
    assert.equal(url.origin, new URL(service.hosts.storageUrl).origin)
    assert.ok(Number(url.searchParams.get('X-Amz-Expires')) <= 300)
    url.searchParams.set('X-Amz-Expires', '86400')
    assert.equal((await fetch(url)).status, 403)
  }
})

test('PRF-07 PRF-11 every revision is listed, oldest first, and only the current one is active', async () => {
  const line = await awaitingReview()
  assert.equal((await primary.post(`${proofOf(line)}/decline`, { reason: 'COLOR' })).status, 200)
  const second = await publishProof(service, line)
  assert.equal(second.revision, 2)
  const { body } = await primary.get(proofOf(line))
  const files = body.files as ProofFile[]
  assert.deepEqual(
    files.map((file) => file.active),
    [false, true],
  )
  assert.equal(files[1]!.name, second.name)
  assert.ok(files[0]!.createdOn < files[1]!.createdOn)
  for (const file of files) await assertPdf((await fetched(file.link!)).bytes)
  const keys = await rows<{ renditionKey: string }>(sql`
    select rendition_key from proof_file where order_number = ${line.orderNumber} and active`)
  assert.ok(body.visualUrl.includes(keys[0]!.renditionKey))
})

test('PRF-07 files that are not for the consumer are not listed, nor is their preview shown', async () => {
  const line = await awaitingReview()
  await rows(sql`update proof_file set consumer_visible = false where order_number = ${line.orderNumber}`)
  const { body } = await primary.get(proofOf(line))
  assert.deepEqual([body.files, body.visualUrl], [[], null])
})

test('PRF-08 a line with more than 200 files shows its 200 oldest and no marker', async () => {
  const line = service.manifest.fixtures.orders.manyProofFiles
  const all = await rows<{ name: string }>(sql`
    select name from proof_file where order_number = ${line.orderNumber} order by revision`)
  assert.ok(all.length > 200)
  const { status, body } = await primary.get(proofOf(line))
  assert.equal(status, 200)
  assert.deepEqual(
    body.files.map((file: ProofFile) => file.name),
    all.slice(0, 200).map((file) => file.name),
  )
  // The current revision is not among them; its preview is shown all the same.
  assert.ok(body.files.every((file: ProofFile) => !file.active))
  assertPng((await fetched(body.visualUrl)).bytes)
})

test('PRF-10 an archived file stays listed without a link, and the same call fills it once it is back', async () => {
  const line = service.manifest.fixtures.orders.nullLink
  const archived = await primary.get(proofOf(line))
  assert.equal(archived.status, 200)
  assert.deepEqual([archived.body.files.length, archived.body.files[0].link], [1, null])
  assert.equal(archived.body.visualUrl, null)
  const [row] = await rows<{ lineNumber: number }>(sql`
    select line_number from order_line where item_number = ${line.itemNumber}`)
  const at = [service.production.database, setProofsArchived, line.orderNumber, row!.lineNumber] as const
  assert.deepEqual(await byStaff(...at, false), { done: { files: 1 } })
  const back = await primary.get(proofOf(line))
  await assertPdf((await fetched(back.body.files[0].link)).bytes)
  assertPng((await fetched(back.body.visualUrl)).bytes)
  assert.deepEqual(await byStaff(...at, false), { refused: 'no_such_proofs' })
  assert.deepEqual(await byStaff(...at, true), { done: { files: 1 } })
  assert.deepEqual((await primary.get(proofOf(line))).body, archived.body)
})

test('PRF-10 a proof is shown without a link that cannot be made, and the same call fills it later', async () => {
  const line = service.manifest.fixtures.orders.declined
  const folder = join(service.dataDir, 'objects', 'production', 'objects')
  await rename(folder, `${folder}-gone`)
  try {
    const { status, body } = await primary.get(proofOf(line))
    assert.equal(status, 200)
    assert.deepEqual(
      body.files.map((file: ProofFile) => file.link),
      [null, null],
    )
    assert.equal(body.visualUrl, null)
  } finally {
    await rename(`${folder}-gone`, folder)
  }
  const { body } = await primary.get(proofOf(line))
  await assertPdf((await fetched(body.files[1].link)).bytes)
})

test('PRF-12 when the files cannot be read at all the answer is 503, not an empty list', async () => {
  let release = (): void => undefined
  let held = (): void => undefined
  const isHeld = new Promise<void>((resolve) => (held = resolve))
  const holding = service.owner.production.transaction(async (tx) => {
    await tx.rows(sql`lock table proof_file in access exclusive mode`)
    held()
    await new Promise<void>((resolve) => (release = resolve))
  })
  await isHeld
  try {
    const answer = await primary.get(proofOf(service.manifest.fixtures.orders.pendingReview))
    assertRefused(answer, 503, 'service_unavailable')
  } finally {
    release()
    await holding
  }
})

test('PRF-13 PRF-14 a line without proof files shows none, whether it is in proofing or not', async () => {
  const { notCreated, noProofing } = service.manifest.fixtures.orders
  const entered = (await primary.get(proofOf(notCreated))).body
  assert.deepEqual([entered.proofStatus, entered.files, entered.visualUrl], ['NOT_CREATED', [], null])
  const never = (await primary.get(proofOf(noProofing))).body
  assert.deepEqual([never.proofStatus, never.files, never.visualUrl], [null, [], null])
})

test('PRF-14 PRF-15 PRF-16 only a proof in PENDING_REVIEW can be decided: every other state stays as it is', async () => {
  const line = await awaitingReview()
  for (const status of [null, 'NOT_CREATED', 'APPROVED', 'DECLINED', 'UNKNOWN']) {
    await setProofStatus(line, status)
    assert.equal((await primary.get(proofOf(line))).body.proofStatus, status)
    assertRefused(await primary.post(`${proofOf(line)}/approve`), 409, 'proof_not_pending_review')
    assertRefused(await primary.post(`${proofOf(line)}/decline`, { reason: 'COLOR' }), 409, 'proof_not_pending_review')
    assert.equal((await lineNow(line)).proofStatus, status)
  }
  assert.deepEqual(await logOf(line), [])
})

test('PRF-03 PRF-19 PRF-22 PRF-23 an approval is acknowledged, and the line goes on into production', async () => {
  const line = await awaitingReview()
  await acceptedFile(service, line)
  const answer = await primary.post(`${proofOf(line)}/approve`, { comment: 'Looks right.' })
  assert.equal(answer.status, 200)
  const { orderNumber, itemNumber } = line
  assert.deepEqual(answer.body, { orderNumber, itemNumber, proofStatus: 'APPROVED' })
  const now = await lineNow(line)
  assert.deepEqual([now.proofStatus, now.productionStatus], ['APPROVED', 'QUEUED'])
  const { partnerId } = service.manifest.partners.primary!
  assert.deepEqual(await logOf(line), [
    { entry: 'Approved by the partner. Comment: Looks right.', actorKind: 'PARTNER', actorId: partnerId },
  ])
  assert.equal((await primary.get(`/v1/orders/${orderNumber}`)).body.status, 'IN_PRODUCTION')
})

test('PRF-03 an approval accepts no body, an empty one, or a comment under the rules for declines', async () => {
  for (const body of [undefined, {}, { comment: '  \n' }]) {
    const line = await awaitingReview()
    assert.equal((await primary.post(`${proofOf(line)}/approve`, body)).status, 200)
    assert.deepEqual(
      (await logOf(line)).map(({ entry }) => entry),
      ['Approved by the partner.'],
    )
  }
  const line = await awaitingReview()
  assertRefused(await primary.post(`${proofOf(line)}/approve`, { comment: null }), 400, 'null_not_supported')
  assertRefused(await primary.post(`${proofOf(line)}/approve`, { reason: 'COLOR' }), 400, 'invalid_request')
  assert.equal((await lineNow(line)).proofStatus, 'PENDING_REVIEW')
})

test('PRF-04 PRF-17 PRF-18 PRF-22 PRF-28 a decline is acknowledged with its reason, logged as text, and keeps the line out of production', async () => {
  const line = await awaitingReview()
  const { orderNumber, itemNumber, lineNumber } = line
  const answer = await primary.post(`${proofOf(line)}/decline`, { reason: 'SPELLING', comment: 'It is "Stone".' })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { orderNumber, itemNumber, proofStatus: 'DECLINED', reason: 'SPELLING' })
  const now = await lineNow(line)
  assert.deepEqual([now.proofStatus, now.productionStatus], ['DECLINED', 'PREPRESS'])
  assert.deepEqual(await byStaff(service.production.database, advanceProduction, orderNumber, lineNumber), {
    refused: 'proof_not_approved',
  })
  assert.deepEqual(
    (await logOf(line)).map(({ entry }) => entry),
    ['Declined by the partner. Reason: SPELLING. Comment: It is "Stone".'],
  )
  // The reason is not stored anywhere else.
  const audits = await rows<{ detail: unknown }>(sql`
    select detail from audit_record where action = 'proof.declined' and subject_id = ${`${orderNumber}/${lineNumber}`}`)
  assert.deepEqual(audits, [{ detail: {} }])
})

test('PRF-20 repeating a decision that succeeded is 409 and changes nothing', async () => {
  const approved = await awaitingReview()
  assert.equal((await primary.post(`${proofOf(approved)}/approve`)).status, 200)
  assertRefused(await primary.post(`${proofOf(approved)}/approve`), 409, 'proof_not_pending_review')
  const declined = await awaitingReview()
  assert.equal((await primary.post(`${proofOf(declined)}/decline`, { reason: 'OTHER' })).status, 200)
  assertRefused(
    await primary.post(`${proofOf(declined)}/decline`, { reason: 'OTHER' }),
    409,
    'proof_not_pending_review',
  )
  assert.equal((await logOf(approved)).length, 1)
  assert.equal((await logOf(declined)).length, 1)
})

test('PRF-20 ERR-56 one of 64 approvals and 64 declines of the same proof succeeds, and the other 127 are refused', async () => {
  const line = await awaitingReview()
  const answers = await Promise.all(
    Array.from({ length: 128 }, (_, turn) =>
      turn % 2 === 0
        ? primary.post(`${proofOf(line)}/approve`)
        : primary.post(`${proofOf(line)}/decline`, { reason: 'LAYOUT' }),
    ),
  )
  const accepted = answers.filter((answer) => answer.status === 200)
  assert.equal(accepted.length, 1)
  for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 409, 'proof_not_pending_review')
  assert.equal((await logOf(line)).length, 1)
  assert.equal((await lineNow(line)).proofStatus, accepted[0]!.body.proofStatus)
  const audits = await rows(sql`
    select action from audit_record
    where subject_id = ${`${line.orderNumber}/${line.lineNumber}`} and action in ('proof.approved', 'proof.declined')`)
  assert.equal(audits.length, 1)
})

test('PRF-21 ERR-57 every decision on a cancelled line is order_item_cancelled, in any proof state', async () => {
  const line = service.manifest.fixtures.orders.cancelledLine
  for (const status of ['PENDING_REVIEW', null, 'NOT_CREATED', 'APPROVED', 'DECLINED', 'UNKNOWN']) {
    await setProofStatus(line, status)
    assertRefused(await primary.post(`${proofOf(line)}/approve`), 409, 'order_item_cancelled')
    // Neither the state of the proof nor the reason is looked at.
    assertRefused(await primary.post(`${proofOf(line)}/decline`, { reason: 'NO_SUCH' }), 409, 'order_item_cancelled')
    assert.equal((await lineNow(line)).proofStatus, status)
  }
  assert.equal((await primary.get(proofOf(line))).status, 200)
  assert.deepEqual(await logOf(line), [])

  const ours = await awaitingReview()
  await done(byStaff(service.production.database, cancelLine, ours.orderNumber, ours.lineNumber))
  assertRefused(await primary.post(`${proofOf(ours)}/approve`), 409, 'order_item_cancelled')
})

test('PRF-02 the reasons a line offers follow the source of its artwork and what its site switched off', async () => {
  const { pendingReview, declined, noProofing } = service.manifest.fixtures.orders
  const codes = async (line: Line): Promise<string[]> => {
    const { status, body } = await primary.get(`${proofOf(line)}/denial-reasons`)
    assert.equal(status, 200)
    assert.deepEqual([body.orderNumber, body.itemNumber], [line.orderNumber, line.itemNumber])
    return body.reasons.map((reason: { code: string }) => reason.code)
  }
  const everywhere = ['COLOR', 'CONTENT', 'IMAGE_QUALITY', 'LAYOUT', 'SIZE', 'SPELLING', 'WRONG_FILE', 'OTHER']
  assert.deepEqual(new Set(await codes(pendingReview)), new Set([...everywhere, 'BLEED_OR_TRIM']))
  assert.deepEqual(new Set(await codes(declined)), new Set([...everywhere, 'TEMPLATE_DATA']))
  assert.deepEqual(new Set(await codes(noProofing)), new Set(everywhere))

  const { main } = service.manifest.sites
  await rows(sql`insert into denial_reason_switched_off (site_id, code) values (${main}, 'SIZE')`)
  try {
    assert.ok(!(await codes(pendingReview)).includes('SIZE'))
    const line = await awaitingReview()
    const refused = await primary.post(`${proofOf(line)}/decline`, { reason: 'SIZE' })
    assertRefused(refused, 422, 'denial_reason_not_available')
    await rows(sql`
      insert into denial_reason_switched_off (site_id, code)
      select ${main}, code from unnest(${[...everywhere, 'BLEED_OR_TRIM']}::text[]) as code on conflict do nothing`)
    assert.deepEqual(await codes(pendingReview), [])
  } finally {
    await rows(sql`delete from denial_reason_switched_off`)
  }
})

test('PRF-24 PRF-25 ERR-67 a reason the line does not offer is 422 and the detail names those it does', async () => {
  const line = await awaitingReview()
  const { reasons } = (await primary.get(`${proofOf(line)}/denial-reasons`)).body
  const others = ['TEMPLATE_DATA', 'UNKNOWN', 'color', 'COLOR ', ' ', 'NO_SUCH_REASON', 'X'.repeat(2_000)]
  for (const reason of others) {
    const answer = await primary.post(`${proofOf(line)}/decline`, { reason })
    assertRefused(answer, 422, 'denial_reason_not_available')
    for (const { code } of reasons) assert.ok(answer.body.detail.includes(code), `${code} in ${answer.body.detail}`)
  }
  assert.equal((await lineNow(line)).proofStatus, 'PENDING_REVIEW')
  assert.deepEqual(await logOf(line), [])
})

test('PRF-24 every reason a line offers is accepted', async () => {
  const line = await awaitingReview()
  const { reasons } = (await primary.get(`${proofOf(line)}/denial-reasons`)).body
  for (const { code } of reasons) {
    await setProofStatus(line, 'PENDING_REVIEW')
    const answer = await primary.post(`${proofOf(line)}/decline`, { reason: code })
    assert.deepEqual([answer.status, answer.body.reason], [200, code])
  }
})

test('PRF-24 PRF-26 PRF-27 LIM-26 a decline of the wrong shape is 400 and changes nothing', async () => {
  const line = await awaitingReview()
  const malformed: [unknown, string][] = [
    [undefined, 'invalid_request'],
    [{}, 'invalid_request'],
    [{ comment: 'no reason' }, 'invalid_request'],
    [{ reason: '' }, 'invalid_request'],
    [{ reason: 7 }, 'invalid_request'],
    [{ reason: ['COLOR'] }, 'invalid_request'],
    [{ reason: null }, 'null_not_supported'],
    [{ reason: 'COLOR', comment: null }, 'null_not_supported'],
    [{ reason: 'COLOR', comment: 5 }, 'invalid_request'],
    [{ reason: 'COLOR', comment: 'a\u001b[31mb' }, 'invalid_request'],
    [{ reason: 'COLOR', comment: 'c'.repeat(2_001) }, 'invalid_request'],
    [{ reason: 'COLOR', note: 'no such key' }, 'invalid_request'],
    [['COLOR'], 'invalid_request'],
  ]
  for (const [body, code] of malformed) {
    assertRefused(await primary.post(`${proofOf(line)}/decline`, body), 400, code)
  }
  assert.equal((await lineNow(line)).proofStatus, 'PENDING_REVIEW')
  assert.deepEqual(await logOf(line), [])
})

test('PRF-26 LIM-26 a comment of 2,000 characters is kept whole, and a blank one counts as omitted', async () => {
  const long = await awaitingReview()
  const comment = `${'ä'.repeat(1_999)}😀`
  assert.equal((await primary.post(`${proofOf(long)}/decline`, { reason: 'OTHER', comment })).status, 200)
  assert.ok((await logOf(long))[0]!.entry.endsWith(` Comment: ${comment}`))
  const blank = await awaitingReview()
  assert.equal((await primary.post(`${proofOf(blank)}/decline`, { reason: 'OTHER', comment: ' \t ' })).status, 200)
  assert.deepEqual(
    (await logOf(blank)).map(({ entry }) => entry),
    ['Declined by the partner. Reason: OTHER.'],
  )
})

test('a decision is checked in order: its shape, then the line, then the proof', async () => {
  const { cancelledLine, approved } = service.manifest.fixtures.orders
  const missing = { orderNumber: 999_999_999, itemNumber: 1 }
  for (const line of [missing, cancelledLine, approved]) {
    assertRefused(await primary.post(`${proofOf(line)}/decline`, { reason: '' }), 400, 'invalid_request')
  }
  assertRefused(
    await primary.post(`${proofOf(approved)}/decline`, { reason: 'NO_SUCH' }),
    409,
    'proof_not_pending_review',
  )
})

const tails = [
  ['GET', ''],
  ['GET', '/denial-reasons'],
  ['POST', '/approve'],
  ['POST', '/decline'],
] as const

test('ERR-40 an item number that is no positive integer is 400 on all four paths', async () => {
  const { orderNumber } = service.manifest.fixtures.orders.pendingReview
  for (const [method, tail] of tails) {
    for (const itemNumber of ['0', '-1', '1.5', 'abc', '01', '1e3', '1234567890123456', '%31x', '%20']) {
      const path = `/v1/orders/${orderNumber}/items/${itemNumber}/proof${tail}`
      assertRefused(
        await primary.call(method, path, method === 'POST' ? { reason: 'COLOR' } : undefined),
        400,
        'invalid_item_number',
      )
    }
    const path = `/v1/orders/x/items/1/proof${tail}`
    assertRefused(
      await primary.call(method, path, method === 'POST' ? { reason: 'COLOR' } : undefined),
      400,
      'invalid_order_number',
    )
  }
})

test('ERR-44 lines that are foreign, hidden, internal, of another site or of another order are not found', async () => {
  const { orders, foreign } = service.manifest.fixtures
  const { pendingReview, approved, hiddenLine, internalLine, siteMismatch } = orders
  const unseen: Line[] = [
    { orderNumber: pendingReview.orderNumber, itemNumber: 999_999_999_999_999 },
    { orderNumber: 999_999_999_999_999, itemNumber: pendingReview.itemNumber },
    { orderNumber: approved.orderNumber, itemNumber: pendingReview.itemNumber },
    { orderNumber: foreign.orderNumber, itemNumber: foreign.itemNumber },
    hiddenLine,
    internalLine,
    siteMismatch,
  ]
  for (const [method, tail] of tails) {
    const bodies = new Set<string>()
    for (const line of unseen) {
      const body = tail === '/decline' ? { reason: 'COLOR' } : undefined
      const answer = await primary.call(method, `${proofOf(line)}${tail}`, body)
      assertRefused(answer, 404, 'order_item_not_found')
      bodies.add(JSON.stringify({ ...answer.body, requestId: '' }))
    }
    assert.equal(bodies.size, 1)
  }
  const untouched = await rows<{ proofStatus: string }>(sql`
    select distinct proof_status from order_line
    where item_number = any(${[foreign, hiddenLine, internalLine, siteMismatch].map((line) => line.itemNumber)}::bigint[])`)
  assert.deepEqual(untouched, [{ proofStatus: 'PENDING_REVIEW' }])
})

test('PRF-01 PRF-02 neither read accepts query parameters', async () => {
  const line = service.manifest.fixtures.orders.pendingReview
  for (const tail of ['', '/denial-reasons']) {
    assertRefused(await primary.get(`${proofOf(line)}${tail}?limit=5`), 400, 'unknown_query_parameter')
  }
})

test('PRF-01 PRF-04 reading needs orders:read, deciding orders:write', async () => {
  const readonly = await partner(service, 'readonly')
  const line = service.manifest.fixtures.orders.pendingReview
  assert.equal((await readonly.get(proofOf(line))).status, 200)
  assertRefused(await readonly.post(`${proofOf(line)}/approve`), 403, 'insufficient_scope')
  assertRefused(await readonly.post(`${proofOf(line)}/decline`, { reason: 'COLOR' }), 403, 'insufficient_scope')
})

test('PRF-29 an order is awaiting proof while one of its proofs is pending review or declined', async () => {
  const line = await awaitingReview()
  const waits = async (): Promise<boolean> => (await primary.get(`/v1/orders/${line.orderNumber}`)).body.awaitingProof
  assert.equal(await waits(), true)
  await primary.post(`${proofOf(line)}/decline`, { reason: 'COLOR' })
  assert.equal(await waits(), true)
  await publishProof(service, line)
  await primary.post(`${proofOf(line)}/approve`)
  assert.equal(await waits(), false)
})

test('a decision is not made and answers 503 if it cannot be audited', async () => {
  const line = await awaitingReview()
  await rows(sql`alter table audit_record add constraint no_decisions check (action <> 'proof.approved') not valid`)
  try {
    assertRefused(await primary.post(`${proofOf(line)}/approve`), 503, 'audit_unavailable')
  } finally {
    await rows(sql`alter table audit_record drop constraint no_decisions`)
  }
  assert.equal((await lineNow(line)).proofStatus, 'PENDING_REVIEW')
  assert.deepEqual(await logOf(line), [])
})

test('proofs of the sandbox are stored and signed apart from those of production', async () => {
  const sandbox = await partner(service, 'sandbox')
  const { orders } = await sandbox.get('/v1/orders?limit=200').then((answer) => answer.body)
  let link: string | undefined
  for (const { orderNumber } of orders) {
    const { items } = (await sandbox.get(`/v1/orders/${orderNumber}/items`)).body
    const item = items.find((each: { proofStatus: string }) => each.proofStatus === 'PENDING_REVIEW')
    if (item) link = (await sandbox.get(proofOf(item))).body.files[0]?.link ?? link
    if (link) break
  }
  await assertPdf((await fetched(link!)).bytes)
  assert.match(new URL(link!).pathname, /^\/sandbox\//)
  const elsewhere = new URL(link!)
  elsewhere.pathname = elsewhere.pathname.replace('/sandbox/', '/production/')
  assert.equal((await fetch(elsewhere)).status, 403)
})
