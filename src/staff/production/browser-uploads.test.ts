import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placedOrder } from '../../../test/every-staff-operation/samples/placed-order.ts'
import { pdfFile } from '../../../test/world/artwork.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'

const service = await testService()
const admin = await staff(service)

test('a page of the console may send a print file straight to the address it was given', async () => {
  const { line } = await placedOrder({ service, admin })
  const { uploadUrl, reservationName } = (await admin.post(`${line}/uploads`, { fileName: 'cards.pdf' })).body
  const { origin } = new URL(service.hosts.consoleUrl)
  const asked = await fetch(uploadUrl, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
  })
  assert.deepEqual([asked.status, asked.headers.get('access-control-allow-origin')], [204, origin])
  // Browsers name the type of a file by themselves.
  const headers = { origin, 'content-type': 'application/pdf' }
  const put = await fetch(uploadUrl, { method: 'PUT', body: pdfFile(), headers })
  assert.deepEqual([put.status, put.headers.get('access-control-allow-origin')], [200, origin])
  assert.equal((await admin.post(`${line}/print-files`, { reservationName })).status, 200)
  const foreign = await fetch(uploadUrl, { method: 'OPTIONS', headers: { origin: service.hosts.baseUrl } })
  assert.deepEqual([foreign.status, foreign.headers.get('access-control-allow-origin')], [403, null])
})
