import assert from 'node:assert/strict'
import { test } from 'node:test'
import { developer } from '../developer/contract.ts'
import { api } from '../resources/api.ts'
import { control } from '../sandbox/control/contract.ts'
import { testService } from '../../test/world/service.ts'
import { staffApi } from './api.ts'

const service = await testService()

test('every document is served and names the hosts as they are', async () => {
  const { consoleUrl, baseUrl, sandboxBaseUrl } = service.hosts
  for (const [path, server] of [
    ['/staff/openapi.json', consoleUrl],
    ['/openapi.json', baseUrl],
    ['/sandbox/openapi.json', sandboxBaseUrl],
    ['/developer/openapi.json', baseUrl],
  ] as const) {
    const answer = await fetch(consoleUrl + path)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(((await answer.json()) as { servers: { url: string }[] }).servers[0]!.url, server)
  }
})

test('every document is also a page, which shows every operation and has no script and no inline style', async () => {
  const { consoleUrl } = service.hosts
  for (const [path, ids] of [
    ['/staff/docs', Object.keys(staffApi)],
    ['/docs', Object.keys(api)],
    ['/sandbox/docs', Object.keys(control)],
    ['/developer/docs', Object.keys(developer)],
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

test('the page of the partner API links the page of the control API', async () => {
  const { consoleUrl } = service.hosts
  const page = await (await fetch(`${consoleUrl}/docs`)).text()
  const linked = [...page.matchAll(/<a href="(\/[^"]*)">control API<\/a>/g)].map(([, path]) => path!)
  assert.deepEqual(linked, ['/sandbox/docs'])
})
