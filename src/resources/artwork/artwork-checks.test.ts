import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultyPdfFile, noPrintFiles, pdfFile } from '../../../test/world/artwork.ts'
import { checkBegun, checkEnded } from '../../../test/world/inspected.ts'
import { callTool } from '../../../test/world/mcp.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

/** how far the storage's clock is ahead of the system's */
let secondsAhead = 0

const service = await testService({ clock: () => new Date(Date.now() + secondsAhead * 1000) })
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const { pod, stock, shared } = service.manifest.fixtures.products

async function at<Result>(ahead: number, work: () => Promise<Result>): Promise<Result> {
  secondsAhead = ahead
  try {
    return await work()
  } finally {
    secondsAhead = 0
  }
}

test('a check reserves an upload as a line does, and must not be stored', async () => {
  const answer = await primary.post(`/v1/products/${pod}/artwork-checks`, {
    fileName: 'Cards, final.pdf',
    contentType: 'application/pdf',
  })
  assert.equal(answer.status, 201)
  const { checkId: _, uploadUrl, expiresAt, ...rest } = answer.body
  assert.deepEqual(rest, { uploadMethod: 'PUT', contentType: 'application/pdf' })
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(new URL(uploadUrl).origin, service.hosts.storageUrl)
  const lifetime = Date.parse(expiresAt) - Date.now()
  assert.ok(lifetime > 50_000 && lifetime < 65_000, `it lives ${lifetime} ms`)
})

test('a check awaits its file, is inspected by itself, and ends with findings and pictures', async () => {
  const check = await checkBegun(primary, pod)
  const read = async (): Promise<any> => (await primary.get(check.path)).body
  assert.deepEqual(await read(), { checkId: check.checkId, status: 'awaiting_upload', findings: [], pages: [] })
  assert.equal((await fetch(check.uploadUrl, { method: 'PUT', body: faultyPdfFile() })).status, 200)
  assert.ok(['queued', 'inspecting', 'needs_changes'].includes((await read()).status))
  const ended = await checkEnded(primary, check.path)
  assert.deepEqual([ended.checkId, ended.status], [check.checkId, 'needs_changes'])
  assert.ok(ended.findings.some(({ code }: { code: string }) => code === 'page_size_wrong'))
  assert.equal(ended.pages[0].previews.length, 3)
  assert.equal((await fetch(ended.pages[0].previews[0].url)).status, 200)
})

test('a second upload to the same URL changes nothing once the check was read', async () => {
  const check = await checkBegun(primary, pod, { bytes: pdfFile() })
  const { status } = await checkEnded(primary, check.path)
  await fetch(check.uploadUrl, { method: 'PUT', body: pdfFile('another') })
  assert.equal((await primary.get(check.path)).body.status, status)
})

test('a file that is no artwork ends as unreadable, with the reason', async () => {
  await Promise.all(
    noPrintFiles.map(async ([what, bytes]) => {
      const check = await checkBegun(primary, pod, { bytes })
      const { status, findings } = await checkEnded(primary, check.path)
      assert.equal(status, 'unreadable', what)
      assert.equal(findings[0].severity, 'error', what)
    }),
  )
})

test('a check whose file does not come in time says so', async () => {
  const check = await checkBegun(primary, pod)
  const { body } = await at(61, () => primary.get(check.path))
  assert.equal(body.status, 'upload_expired')
})

test('a check is forgotten after a day', async () => {
  const check = await checkBegun(primary, pod, { bytes: pdfFile() })
  await checkEnded(primary, check.path)
  // With a token of that time.
  const later = (hours: number) => at(hours * 3_600, async () => (await partner(service, 'primary')).get(check.path))
  assert.equal((await later(23)).status, 200)
  const { status, body } = await later(25)
  assert.deepEqual([status, body.code], [404, 'artwork_check_not_found'])
})

test('ERR-45 TEN-01 a check is visible to the partner that began it, at its product only', async () => {
  const check = await checkBegun(primary, pod)
  for (const [by, path, code] of [
    [neighbour, check.path, 'artwork_check_not_found'],
    [primary, check.path.replace(pod, stock), 'artwork_check_not_found'],
    [primary, check.path.replace(check.checkId, '00000000-0000-4000-8000-000000000000'), 'artwork_check_not_found'],
    [primary, check.path.replace(pod, service.manifest.fixtures.foreign.productId), 'product_not_found'],
    [primary, check.path.replace(pod, 'SLO_987654321012345'), 'product_not_found'],
  ] as const) {
    const { status, body } = await by.get(path)
    assert.deepEqual([status, body.code], [404, code], path)
  }
})

test('a share is checked against the rules of its master', async () => {
  const check = await checkBegun(primary, shared, { bytes: pdfFile() })
  const { findings } = await checkEnded(primary, check.path)
  const { profile } = (await primary.get(`/v1/products/${shared}/artwork-requirements`)).body
  const size = findings.find(({ code }: { code: string }) => code === 'page_size_wrong')
  assert.match(size.wanted, new RegExp(`^${Math.floor(profile.trimWidth)}`))
})

test('a body without a file name, with a null, or with a path as name is refused', async () => {
  for (const [sent, code] of [
    [{}, 'invalid_request'],
    [{ fileName: null }, 'null_not_supported'],
    [{ fileName: 'a/b.pdf' }, 'invalid_request'],
    [{ fileName: 'a.pdf', contentType: 'pdf' }, 'invalid_request'],
    [{ fileName: 'a.pdf', size: 1 }, 'invalid_request'],
  ] as const) {
    const { status, body } = await primary.post(`/v1/products/${pod}/artwork-checks`, sent)
    assert.deepEqual([status, body.code], [400, code], JSON.stringify(sent))
  }
})

test('MCP-01 an agent has a file checked and sees its first page', async () => {
  const begun = await callTool(primary, 'create_artwork_check', { productId: pod, fileName: 'cards.pdf' })
  assert.equal(begun.isError, false, JSON.stringify(begun.body))
  const { checkId, uploadUrl, uploadMethod } = begun.body
  await fetch(uploadUrl, { method: uploadMethod, body: faultyPdfFile() })
  await checkEnded(primary, `/v1/products/${pod}/artwork-checks/${checkId}`)
  const { isError, body, images } = await callTool(primary, 'get_artwork_check', { productId: pod, checkId })
  assert.deepEqual([isError, body.status], [false, 'needs_changes'])
  assert.equal(images.length, 1)
  assert.match(Buffer.from(images[0]!.data, 'base64').toString('latin1', 0, 8), /^\x89PNG/)
})
