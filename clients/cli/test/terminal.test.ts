import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { tableOf, displayWidth } from '../src/terminal/layout.ts'
import { textOf } from '../src/terminal/pieces.ts'
import { safeJson, safeText } from '../src/terminal/safe-text.ts'
import { givenPseudoTerminal, json, newHome, run, start, startInTerminal, type Home } from './world/program.ts'

/** What the program shows, to people and to programs, of a service that answers with whatever a test wants. */

const { skip } = givenPseudoTerminal()

/** Moves the cursor, sets the window's title, recolours, in one byte and in two; and turns the direction of text. */
const hostile = 'Dana\u001B[2J\u001B]0;owned\u0007\u009B31mRed\u202Egnp.exe\u2066\r\nsecond'

type Answers = Record<string, unknown>

/** A service that answers with these documents. */
async function home(t: TestContext, answers: Answers, status = 200): Promise<Home> {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://127.0.0.1').pathname
    const isToken = path === '/oauth2/token'
    const body = isToken ? { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 } : answers[path]
    const type = status < 400 || isToken ? 'application/json' : 'application/problem+json'
    response.writeHead(isToken ? 200 : status, { 'content-type': type })
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return newHome({
    PARTNER_COMMERCE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PARTNER_COMMERCE_CLIENT_ID: 'a-client',
    PARTNER_COMMERCE_CLIENT_SECRET: 'a-secret',
  })
}

const order = {
  orderNumber: 10_001_001,
  siteId: 101,
  status: 'IN_PRODUCTION',
  partnerOrderId: 'PO-1',
  placedOn: '2026-03-01T09:30:00Z',
  itemCount: 1,
  currency: 'USD',
  totalPrice: '120.50',
  awaitingProof: true,
}

const listOf = (...orders: object[]): Answers => ({ '/v1/orders': { orders, nextCursor: null } })

/** Every character but line breaks that a terminal or an eye could be deceived by. */
// oxlint-disable-next-line no-control-regex
const harmful = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/

test(
  'no text of the service reaches the terminal as an escape sequence or turns the direction of text',
  { skip },
  async (t) => {
    const hostileHome = await home(t, listOf({ ...order, partnerOrderId: hostile, status: `X${hostile}` }))
    const piped = await run(hostileHome, ['orders', 'list'])
    assert.equal(piped.code, 0)
    assert.doesNotMatch(piped.stdout, harmful)
    assert.match(
      piped.stdout,
      /Dana\\u\{1b\}\[2J\\u\{1b\}\]0;owned\\u\{7\}\\u\{9b\}31mRed\\u\{202e\}gnp\.exe\\u\{2066\} second/,
    )

    const terminal = startInTerminal(t, hostileHome, ['orders', 'list'], 300)
    await terminal.ended
    // What is left are the program's own colours.
    // oxlint-disable-next-line no-control-regex
    const rest = terminal.raw().replace(/\u001B\[[\d]*m|\r|\n/g, '')
    assert.doesNotMatch(rest, harmful)
  },
)

test('JSON says exactly what the service says, and is as safe to look at', async (t) => {
  const answered = { ...order, partnerOrderId: hostile }
  const ended = await run(await home(t, listOf(answered)), ['orders', 'list', '--json'])
  assert.deepEqual(json(ended), { orders: [answered] })
  assert.doesNotMatch(ended.stdout, harmful)
})

test('a refusal of the service is made safe too', async (t) => {
  const problem = {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: `x${hostile}`,
    detail: hostile,
    requestId: '01a20a63-5497-712a-bd65-150f76eb8f52',
  }
  const { code, stderr } = await run(await home(t, { '/v1/me': problem }, 409), ['whoami'])
  assert.equal(code, 4)
  assert.doesNotMatch(stderr, harmful)
  assert.match(stderr, /Dana\\u\{1b\}/)
})

test('a table fits the width of the terminal and is whole in a pipe', { skip }, async (t) => {
  const long = 'a-very-long-id-of-a-partner-that-goes-on-and-on-and-on-until-no-terminal-can-show-it-any-more'
  const tables = await home(t, listOf({ ...order, partnerOrderId: long }))
  assert.ok((await run(tables, ['orders', 'list'])).stdout.includes(long))
  for (const columns of [90, 120]) {
    const terminal = startInTerminal(t, tables, ['orders', 'list'], columns)
    assert.equal((await terminal.ended).code, 0)
    const lines = terminal.shown().trimEnd().split('\n')
    assert.ok(
      lines.every((line) => line.length <= columns),
      terminal.shown(),
    )
    assert.match(terminal.shown(), /a-very-\S*…/)
    assert.match(terminal.shown(), /waits for you/)
  }
})

test(
  'there is colour on a terminal only, and none where NO_COLOR or a dumb terminal asks for that',
  { skip },
  async (t) => {
    const coloured = await home(t, listOf(order))
    // oxlint-disable-next-line no-control-regex
    const colour = /\u001B\[\d+m/
    const shown = async (environment: Record<string, string>) => {
      const terminal = startInTerminal(t, { ...coloured, environment: { ...coloured.environment, ...environment } }, [
        'orders',
        'list',
      ])
      assert.equal((await terminal.ended).code, 0)
      return terminal.raw()
    }
    assert.match(await shown({}), colour)
    assert.doesNotMatch(await shown({ NO_COLOR: '1' }), colour)
    assert.doesNotMatch(await shown({ TERM: 'dumb' }), colour)
    assert.doesNotMatch((await run(coloured, ['orders', 'list'])).stdout, colour)
  },
)

test('Ctrl-C ends a call that hangs, with 130 and without a trace', { skip }, async (t) => {
  const asked = Promise.withResolvers<void>()
  const server = createServer(() => asked.resolve())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const hanging = await newHome({
    PARTNER_COMMERCE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PARTNER_COMMERCE_CLIENT_ID: 'a-client',
    PARTNER_COMMERCE_CLIENT_SECRET: 'a-secret',
  })
  const terminal = startInTerminal(t, hanging, ['whoami'])
  await asked.promise
  terminal.type('\u0003')
  assert.equal((await terminal.ended).code, 130)
  assert.doesNotMatch(terminal.shown(), /Error|at .*\.js|✗/)

  const running = start(hanging, ['whoami'], t)
  running.child.kill('SIGTERM')
  assert.notEqual((await running.ended).code, 0)
})

test('a reader that goes away early is no error', async (t) => {
  const many = Array.from({ length: 100 }, (_, index) => ({ ...order, orderNumber: index + 1 }))
  const running = start(await home(t, listOf(...many)), ['orders', 'list', '--limit', '100', '--json'], t)
  running.child.stdout!.destroy()
  const { code, stderr } = await running.ended
  assert.equal(code, 0, stderr)
})

test('letters take the columns that they have, and none is cut in half', () => {
  assert.equal(displayWidth('名刺 '), 5)
  assert.equal(displayWidth('e\u0301'), 1)
  const [, line] = tableOf([{ title: 'NAME', cell: (name: string) => name, cuts: true }], ['名刺名刺名刺名刺'], 10)
  assert.equal(textOf(line![0]!), '名刺名刺…')
})

test('text stays as it is where nothing in it deceives', () => {
  for (const text of ['Größe “L” – 名刺 👩‍👩‍👧', 'שלום', 'نمی‌خواهم']) assert.equal(safeText(text), text)
  assert.equal(safeText('a\u0000b\uD800c'), 'a\\u{0}b\uFFFDc')
  assert.equal(safeText('\u{E0041}\uFEFF\u2028'), '\\u{e0041}\\u{feff}\\u{2028}')
  const value = { text: hostile, tag: '\u{E0041}', list: ['\u0085'] }
  assert.deepEqual(JSON.parse(safeJson(value, 2)), value)
})
