import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultyPdfFile, pdfFile } from '../../../test/world/artwork.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { faultProxy } from '../../typescript/test/fault-proxy.ts'
import { closedAddress, givenPseudoTerminal, homeOf, json, newHome, run, startInTerminal } from './world/program.ts'

const service = await testService()
const { skip } = givenPseudoTerminal()
const build = orderBuilder(service.manifest)
const home = await homeOf(service, 'sandbox')
const sandbox = await partner(service, 'sandbox')

async function orderFile(changes = {}): Promise<string> {
  const order = build.order(changes)
  const path = join(home.folder, `${order.partnerOrderId}.json`)
  await writeFile(path, JSON.stringify(order))
  return path
}

/** An order that a scenario made, and its only line. */
async function triggered(...words: string[]): Promise<{ orderNumber: number; itemNumber: number }> {
  const { order, items } = json(await run(home, ['trigger', ...words, '--json']))
  return { orderNumber: order.orderNumber, itemNumber: items[0].itemNumber }
}

test('an order goes from a file or from stdin to its number, and is shown with its lines', async () => {
  const path = await orderFile()
  const submission = json(await run(home, ['orders', 'submit', path, '--wait', '--json']))
  assert.equal(submission.status, 'completed')
  const { orderNumber } = submission.order

  // The same file again is the same order.
  const { stdout, stderr, code } = await run(home, ['orders', 'submit', path])
  assert.equal(code, 0)
  assert.match(stdout, new RegExp(`^Order +${orderNumber}$`, 'm'))
  assert.match(stderr, new RegExp(`partner-commerce orders get ${orderNumber}`))

  const { partnerOrderId, ...rest } = build.order()
  const other = json(await run(home, ['orders', 'submit', '-', '--json'], JSON.stringify({ ...rest, partnerOrderId })))
  assert.notEqual(other.order.orderNumber, orderNumber)

  const read = json(await run(home, ['orders', 'get', String(orderNumber), '--json']))
  const { body } = await sandbox.get(`/v1/orders/${orderNumber}`)
  assert.deepEqual(
    { ...read, items: undefined, shipments: undefined },
    { ...body, items: undefined, shipments: undefined },
  )
  assert.equal(read.items.length, 1)
  const shown = await run(home, ['orders', 'get', String(orderNumber)])
  assert.match(shown.stdout, new RegExp(`^Total +${read.totalPrice.replace('.', '\\.')} ${read.currency}$`, 'm'))

  const found = json(await run(home, ['orders', 'list', '--partner-order-id', partnerOrderId, '--json']))
  assert.deepEqual(
    found.orders.map((each: any) => each.orderNumber),
    [other.order.orderNumber],
  )
  const cut = await run(home, ['orders', 'list', '--limit', '1'])
  assert.equal(cut.stdout.trim().split('\n').length, 2)
  assert.match(cut.stderr, /first 1; --limit shows more/)
})

test('an order that is not accepted is told with its problems, and exits with 1', async () => {
  const path = await orderFile({ lines: [build.podLine({ jobName: 'sandbox:reject' })] })
  for (const words of [['--wait'], []]) {
    const { code, stdout, stderr } = await run(home, ['orders', 'submit', path, ...words])
    assert.equal(code, 1)
    assert.match(stdout, /The sandbox rejects lines with this jobName\. {2}order_rejected at lines\[0\]\.jobName/)
    assert.match(stderr, /was not accepted, and nothing was charged\.\n +Correct what stands above/)
  }
  const asJson = await run(home, ['orders', 'submit', path, '--json'])
  assert.equal(asJson.code, 1)
  assert.equal(JSON.parse(asJson.stdout).status, 'failed')
})

test('a refusal is told with what would be right, its code and request id, and exits with 4', async () => {
  const path = await orderFile({ partnerOrderId: 'twice-wrong', shipTo: 'here', lines: [] })
  const { code, stdout, stderr } = await run(home, ['orders', 'submit', path])
  assert.equal(code, 4)
  assert.equal(stdout, '')
  const [what, cure, ...more] = stderr.trimEnd().split('\n')
  assert.match(what!, /^✗ \S/)
  assert.match(cure!, /^ {2}Correct the request/)
  assert.match(more.at(-1)!, /^ {2}invalid_request · status 400 · request [0-9a-f-]{36}$/)
  assert.ok(
    more.some((line) => /lines/.test(line)),
    stderr,
  )

  const absent = await run(home, ['orders', 'get', '999999999999999'])
  assert.equal(absent.code, 4)
  assert.match(absent.stderr, /order_not_found · status 404/)
  assert.match(absent.stderr, /`partner-commerce orders list`/)
})

test('what cannot be understood exits with 2 and says what would be right', async () => {
  for (const [words, right] of [
    [['orders', 'get', 'abc'], /orders list/],
    [['orders', 'submit', 'nowhere.json'], /Name a file/],
    [['orders', 'list', '--status', 'LOST'], /Allowed choices are PENDING_APPROVAL/],
    [['orders', 'list', '--limit', '0'], /from 1 to 10000/],
    [['orders', 'lits'], /Did you mean list/],
    [['orders', 'list', '--staus', 'SHIPPED'], /Did you mean --status/],
    [['clock', 'advance', 'soon'], /3d, 5h, 90m or 1d12h/],
    [['trigger', 'nothing'], /Steps: approve_order.*Scenarios: order, proof/s],
    [['trigger', 'publish_proof'], /--order N --item M/],
    [['trigger', 'proof', '--order', '1'], /Leave --order and --item out/],
    [['products', 'search', 'cards'], /Name one with --site/],
    [['listen', '--forward-to', 'http://'], /http:\/\/localhost:3000\/hooks/],
    [['nonsense'], /--help` shows what it takes/],
  ] as const) {
    const { code, stdout, stderr } = await run(home, words)
    assert.equal(code, 2, `${words.join(' ')}: ${stderr}`)
    assert.match(stderr, right, words.join(' '))
    assert.equal(stdout, '')
  }
  const broken = await run(home, ['orders', 'submit', '-'], '{"siteId": 1,')
  assert.equal(broken.code, 2)
  assert.match(broken.stderr, /What came from stdin is not JSON/)
})

test('an outage exits with 5, and a credential that is not accepted with 3', async () => {
  const away = await newHome({ ...home.environment, PARTNER_COMMERCE_URL: await closedAddress() })
  const { code, stderr } = await run(away, ['whoami'])
  assert.equal(code, 5)
  assert.match(stderr, /The service cannot be reached: nothing listens at the address\./)
  const wrong = await newHome({ ...home.environment, PARTNER_COMMERCE_CLIENT_SECRET: 'another' })
  assert.equal((await run(wrong, ['whoami'])).code, 3)
  const without = await newHome({ PARTNER_COMMERCE_CLIENT_ID: 'some', PARTNER_COMMERCE_CLIENT_SECRET: 'some' })
  assert.equal((await run(without, ['whoami'])).code, 2)
})

test('a print file is uploaded with progress, and attached to its line', { skip }, async (t) => {
  const { orderNumber, itemNumber } = await triggered('order')
  const file = join(home.folder, 'card.pdf')
  await writeFile(file, pdfFile())
  const words = ['artwork', 'upload', String(orderNumber), String(itemNumber)]
  const terminal = startInTerminal(t, home, [...words, file])
  assert.equal((await terminal.ended).code, 0, terminal.shown())
  assert.match(terminal.shown(), /card\.pdf █{24} 100 % of/)
  assert.match(terminal.shown(), /✓ card\.pdf attached/)

  // Nobody watches a pipe: there the result stands alone.
  await writeFile(file, pdfFile('Another card'))
  const attached = await run(home, [...words, file, '--name', 'other.pdf', '--json'])
  assert.equal(json(attached).fileName, 'other.pdf')
  assert.equal(attached.stderr, '')
  const { body } = await sandbox.get(`/v1/orders/${orderNumber}/items/${itemNumber}/artwork`)
  assert.deepEqual(body.files.map(({ fileName }: any) => fileName).toSorted(), ['card.pdf', 'other.pdf'])

  await writeFile(file, '')
  assert.equal((await run(home, [...words, file])).code, 2)
  assert.equal((await run(home, [...words, join(home.folder, 'nowhere.pdf')])).code, 2)
})

test('what inspection found in a print file is shown, and a file that needs changes exits with 1', async () => {
  const { orderNumber, itemNumber } = await triggered('order')
  const line = [String(orderNumber), String(itemNumber)]
  const findings = (...more: string[]) => run(home, ['artwork', 'findings', ...line, ...more])
  const none = await findings()
  assert.equal(none.code, 1)
  assert.match(none.stderr, new RegExp(`has no print file\\.\\n +.*artwork upload ${line.join(' ')} FILE`))

  const file = join(home.folder, 'faulty.pdf')
  await writeFile(file, faultyPdfFile())
  const uploaded = await run(home, ['artwork', 'upload', ...line, file])
  assert.match(uploaded.stderr, new RegExp(`partner-commerce artwork findings ${line.join(' ')} --wait`))
  const faulty = await findings('--wait')
  assert.equal(faulty.code, 1)
  assert.match(faulty.stdout, /^File +faulty\.pdf$/m)
  assert.match(faulty.stdout, /^Status +needs_changes$/m)
  const { body } = await sandbox.get(`/v1/orders/${orderNumber}/items/${itemNumber}/artwork`)
  const { findings: found } = body.files[0].inspection
  assert.ok(found.length > 1)
  for (const { severity, page, message, code, fix } of found) {
    const where = page === null ? '' : `page ${page}: `
    const mark = severity === 'error' ? '✗' : severity === 'info' ? '○' : '!'
    assert.ok(faulty.stdout.includes(`\n${mark} ${severity} · ${where}${message}  ${code}\n  ${fix}\n`), message)
  }
  assert.match(faulty.stderr, /^✗ faulty\.pdf .*\n +Mend it, and send it again: .*artwork upload/m)

  await writeFile(file, pdfFile())
  await run(home, ['artwork', 'upload', ...line, file, '--name', 'mended.pdf'])
  const mended = await findings('--wait')
  const read = JSON.parse((await findings('--json')).stdout)
  assert.deepEqual(
    read.files.map(({ fileName, inspection }: any) => [fileName, inspection.status]),
    [
      ['faulty.pdf', 'needs_changes'],
      ['mended.pdf', read.files[1].inspection.status],
    ],
  )
  assert.match(mended.stdout, /^File +mended\.pdf$/m)
  assert.doesNotMatch(mended.stdout, /faulty/)
  assert.match(mended.stderr, /1 older file; --all shows it too/)
  assert.match((await findings('--all')).stdout, /^File +faulty\.pdf$[^]*^File +mended\.pdf$/m)
})

test('proofs are listed, opened, approved and declined', async () => {
  const { orderNumber, itemNumber } = await triggered('proof')
  const line = [String(orderNumber), String(itemNumber)]
  const waiting = json(await run(home, ['proofs', 'list', '--json']))
  assert.ok(waiting.items.some((each: any) => each.orderNumber === orderNumber && each.itemNumber === itemNumber))
  const listed = await run(home, ['proofs', 'list'])
  assert.match(listed.stdout, new RegExp(`^${orderNumber} +${itemNumber} `, 'm'))

  const opened = await run(home, ['proofs', 'open', ...line])
  assert.equal(opened.code, 0)
  assert.match(opened.stdout, /^http:\/\/127\.0\.0\.1:\d+\/\S+$/m)
  assert.match(opened.stderr, /proofs approve/)

  const unnamed = await run(home, ['proofs', 'decline', ...line])
  assert.equal(unnamed.code, 2)
  const reason = /^ {2}([A-Z_]+) {2}\S/m.exec(unnamed.stderr)?.[1]
  assert.ok(reason, unnamed.stderr)
  const declined = await run(home, ['proofs', 'decline', ...line, '--reason', reason, '--comment', 'Too dark.'])
  assert.equal(declined.code, 0, declined.stderr)
  assert.match((await run(home, ['proofs', 'decline', ...line, '--reason', reason])).stdout, /declined already/)
  assert.equal((await run(home, ['proofs', 'approve', ...line])).code, 4)

  const other = await triggered('proof')
  const words = ['proofs', 'approve', String(other.orderNumber), String(other.itemNumber)]
  assert.deepEqual(json(await run(home, [...words, '--json'])), { ...other, proofStatus: 'APPROVED', already: false })
  assert.match((await run(home, words)).stdout, /approved already/)
})

/** The proof that waits is declined, and another revision waits in its place. */
async function replaced({ orderNumber, itemNumber }: { orderNumber: number; itemNumber: number }): Promise<void> {
  const path = `/v1/orders/${orderNumber}/items/${itemNumber}/proof`
  const { reasons } = (await sandbox.get(`${path}/denial-reasons`)).body
  assert.equal((await sandbox.post(`${path}/decline`, { reason: reasons[0].code })).status, 200)
  json(await run(home, ['trigger', 'publish_proof', '--order', String(orderNumber), '--json']))
}

test('a revision that is not listed is not decided by its number', async () => {
  const { orderNumber, itemNumber } = service.manifest.fixtures.orders.manyProofFiles
  const inProduction = await homeOf(service, 'primary')
  for (const verb of [['approve'], ['decline', '--reason', 'COLOR']]) {
    const [name, ...more] = verb
    const words = ['proofs', name!, String(orderNumber), String(itemNumber), ...more, '--revision', '205']
    const { code, stderr } = await run(inProduction, words)
    assert.equal(code, 4, stderr)
    assert.match(stderr, /has a revision of its proof that is not listed now, not revision 205/)
  }
})

test('a decision says which proof it decides, and takes no other than the one that was named', async () => {
  const line = await triggered('proof')
  const words = [String(line.orderNumber), String(line.itemNumber)]
  const opened = await run(home, ['proofs', 'open', ...words])
  assert.match(opened.stdout, /^Revision +1$/m)
  assert.match(opened.stderr, new RegExp(`proofs approve ${words.join(' ')} --revision 1, or decline`))
  await replaced(line)
  for (const verb of [['approve'], ['decline', '--reason', 'COLOR']]) {
    const [name, ...more] = verb
    const late = await run(home, ['proofs', name!, ...words, ...more, '--revision', '1', '--json'])
    assert.equal(late.code, 4, late.stderr)
    assert.equal(late.stdout, '')
    assert.match(late.stderr, /revision 2 of its proof .*not revision 1.*\n.*proofs open/)
  }
  assert.equal((await run(home, ['proofs', 'approve', ...words, '--revision', '0'])).code, 2)
  const shown = /^Proof +(\S+)$/m.exec((await run(home, ['proofs', 'open', ...words])).stdout)![1]!
  const decided = await run(home, ['proofs', 'approve', ...words, '--revision', '2'])
  assert.equal(decided.code, 0, decided.stderr)
  assert.ok(decided.stderr.includes(`${shown}, revision 2, made `), decided.stderr)
  assert.match(decided.stdout, /^✓ The proof is approved\.\n$/)
})

test('a revision that comes while a decision is on its way is not decided', async () => {
  const proxy = await faultProxy(service.hosts.sandboxBaseUrl)
  const through = { ...home, environment: { ...home.environment, PARTNER_COMMERCE_URL: proxy.url } }
  for (const verb of [['approve'], ['decline', '--reason', 'COLOR']]) {
    const line = await triggered('proof')
    const [name, ...more] = verb
    const path = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`
    // It comes between the proof that is told and the one that the client looks at.
    let looks = 0
    proxy.faults(async ({ call }) => {
      if (call === `GET ${path}` && (looks += 1) === 2) await replaced(line)
      return undefined
    })
    const words = ['proofs', name!, String(line.orderNumber), String(line.itemNumber), ...more]
    const { code, stdout, stderr } = await run(through, words)
    assert.equal(code, 4, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, /another revision of its proof waits for a decision now/)
    assert.equal((await sandbox.get(path)).body.proofStatus, 'PENDING_REVIEW')
  }
})

test('each scenario of trigger ends as it says', async () => {
  const orderStatusOf = async (scenario: string) => json(await run(home, ['trigger', scenario, '--json'])).order.status
  assert.equal(await orderStatusOf('shipment'), 'SHIPPED')
  assert.equal(await orderStatusOf('completed'), 'COMPLETED')
  assert.equal(await orderStatusOf('cancelled'), 'CANCELLED')
  assert.equal(await orderStatusOf('hold'), 'ON_HOLD')
  const problem = json(await run(home, ['trigger', 'problem', '--json']))
  assert.equal(problem.items[0].problem, true)
  const split = await triggered('split-shipment')
  const { shipments } = json(await run(home, ['orders', 'get', String(split.orderNumber), '--json']))
  assert.equal(shipments.filter(({ status }: any) => status === 'SHIPPED').length, 2)
  const again = await triggered('declined-proof')
  const { body } = await sandbox.get(`/v1/orders/${again.orderNumber}/items/${again.itemNumber}/proof`)
  assert.equal(body.proofStatus, 'PENDING_REVIEW')
  assert.equal(body.files.length, 2)
  const rejected = await run(home, ['trigger', 'rejected'])
  assert.equal(rejected.code, 0, rejected.stderr)
  assert.match(rejected.stdout, /was not accepted, as it should be/)
})

test('a step is taken with an order, and its only line need not be named', async () => {
  const { orderNumber } = await triggered('order')
  const order = ['--order', String(orderNumber)]
  const taken = json(await run(home, ['trigger', 'publish_proof', ...order, '--json']))
  assert.equal(taken.step, 'publish_proof')
  assert.equal((await run(home, ['trigger', 'hold_order', ...order])).code, 0)
  const again = await run(home, ['trigger', 'hold_order', ...order])
  assert.equal(again.code, 4)
  assert.match(again.stderr, /step_not_possible/)
  const listed = json(await run(home, ['trigger', 'list', '--json']))
  const { body } = await sandbox.get('/sandbox/scenarios')
  assert.deepEqual(listed.steps, body.steps)
})

test('the clock is shown and advanced', async () => {
  const before = json(await run(home, ['clock', '--json']))
  const after = json(await run(home, ['clock', 'advance', '1d2h', '--json']))
  assert.equal(after.aheadSeconds - before.aheadSeconds, 26 * 3600)
  assert.match((await run(home, ['clock'])).stdout, /^Ahead +1d 2h$/m)
})

test('products are found by words', async () => {
  const site = String(service.manifest.sites.main)
  const found = json(await run(home, ['products', 'search', 'business', 'cards', '--site', site, '--json']))
  assert.ok(found.products.length > 0)
  const { body } = await sandbox.get(`/v1/products?siteId=${site}&q=business%20cards&limit=20`)
  assert.deepEqual(found.products, body.products)
  const shown = await run(home, ['products', 'search', 'business', 'cards', '--site', site])
  assert.ok(shown.stdout.includes(found.products[0].productId))
  assert.equal(json(await run(home, ['sites', '--json'])).sites.length, 4)
})
