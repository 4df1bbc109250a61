import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../resources/api.ts'
import { testService } from '../../test/world/service.ts'
import { staffApi } from './api.ts'

const service = await testService()

test('both documents are served and name the hosts as they are', async () => {
  const { consoleUrl, baseUrl } = service.hosts
  for (const [path, server] of [
    ['/staff/openapi.json', consoleUrl],
    ['/openapi.json', baseUrl],
  ] as const) {
    const answer = await fetch(consoleUrl + path)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(((await answer.json()) as { servers: { url: string }[] }).servers[0]!.url, server)
  }
})

test('both documents are also pages, which show every operation and have no script and no inline style', async () => {
  const { consoleUrl } = service.hosts
  for (const [path, ids] of [
    ['/staff/docs', Object.keys(staffApi)],
    ['/docs', Object.keys(api)],
  ] as const) {
    const answer = await fetch(consoleUrl + path)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    const page = await answer.text()
    for (const id of ids) assert.ok(page.includes(`<article id="${id}">`), id)
    assert.doesNotMatch(page, /<script|<style| style=| on\w+=/)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(page.includes(`id="${target}"`), `#${target}`)
  }
  const style = await fetch(`${consoleUrl}/docs/style.css`)
  assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8')
})
