import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../test/world/service.ts'
import { staffApi } from './api.ts'

const service = await testService()
const { consoleUrl } = service.hosts

test('the document of the staff API has every operation and names the host as it is', async () => {
  const answer = await fetch(`${consoleUrl}/staff/openapi.json`)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  const { servers, paths } = (await answer.json()) as {
    servers: { url: string }[]
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  assert.equal(servers[0]!.url, consoleUrl)
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  for (const id of Object.keys(staffApi)) assert.ok(ids.includes(id), id)
})

test('documents of partners are not here: the developer site has them', async () => {
  for (const path of ['/openapi.json', '/docs', '/developer/openapi.json', '/developer/docs']) {
    assert.equal((await fetch(consoleUrl + path)).status, 404, path)
  }
})
