import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strangerTo } from './own-hosts.ts'

const published = ['https://api.example.com', 'https://mtls.example.com:8443']

function asked(headers: { host?: string; origin?: string }, localAddress?: string, urls = published): boolean {
  return strangerTo(urls, { headers: { host: 'api.example.com', ...headers }, localAddress }) === undefined
}

test('with a public name only pages of that name may call, and no page on loopback', () => {
  assert.ok(asked({}))
  assert.ok(asked({ origin: 'https://api.example.com' }))
  assert.ok(asked({ origin: 'https://mtls.example.com' }))
  for (const origin of [
    'http://localhost',
    'http://127.0.0.1:3000',
    'https://example.com',
    'https://api.example.com.evil.test',
    'null',
    'file://',
  ]) {
    assert.ok(!asked({ origin }), origin)
  }
})

test('a service on loopback may be called by pages on loopback, on any port', () => {
  const local = ['http://127.0.0.1:8080']
  for (const origin of ['http://localhost:6274', 'http://127.0.0.1:8080', 'http://[::1]:1']) {
    assert.ok(asked({ host: 'localhost:8080', origin }, '127.0.0.1', local), origin)
  }
  assert.ok(!asked({ host: 'localhost:8080', origin: 'https://evil.test' }, '127.0.0.1', local))
})

test('the Host header may be a public name, a loopback name or the address that the connection came in at', () => {
  for (const host of ['api.example.com:443', 'mtls.example.com', 'localhost', '127.0.0.1:8080', '[::1]:8080']) {
    assert.ok(asked({ host }), host)
  }
  assert.ok(asked({ host: '10.0.0.5:8080' }, '10.0.0.5'))
  assert.ok(asked({ host: '10.0.0.5:8080' }, '::ffff:10.0.0.5'))
  assert.ok(asked({ host: '[fd00::5]:8080' }, 'fd00::5'))
  for (const host of [
    'evil.test',
    '10.0.0.5',
    'api.example.com@evil.test',
    'my-api.example.com',
    'api.example.com.evil.test',
    'a b',
  ]) {
    assert.ok(!asked({ host }), host)
  }
  assert.notEqual(strangerTo(published, { headers: {}, localAddress: '10.0.0.5' }), undefined)
})
