import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { exampleFinding } from '../platform/artwork/example-findings.ts'
import { pdfFile } from '../../test/world/artwork.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner as partnerOf } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { attached, checkBegun, checkEnded, inspected } from '../../test/world/inspected.ts'
import { sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { findingCodes } from '../vocabulary/artwork.ts'
import { interceptInspection, magicFileNames } from './magic-files.ts'

const forced = (fileName: string, claims = 1): any => interceptInspection({ fileName, claims })
const codesOf = (fileName: string): string[] | undefined =>
  forced(fileName)?.findings.map(({ code }: { code: string }) => code)

test('a file name forces each finding, in the words of a real one', () => {
  for (const code of findingCodes) {
    assert.deepEqual(forced(`finding-${code}.pdf`).findings, [exampleFinding(code)])
    const { message, fix } = exampleFinding(code)
    for (const sentence of [message, fix]) assert.doesNotMatch(sentence, /\?/, `${code} has no example`)
  }
})

test('one name forces several findings, whatever its extension', () => {
  assert.deepEqual(codesOf('finding-rgb_used-hairline.png'), ['hairline', 'rgb_used'])
  assert.deepEqual(codesOf('finding-hairline'), ['hairline'])
})

test('a name that is not exactly of the form forces nothing', () => {
  for (const name of [
    'finding-nonsense.pdf',
    'finding-hairline-x.pdf',
    'FINDING-hairline.pdf',
    'finding-Hairline.pdf',
    'my-finding-hairline.pdf',
    'cards.pdf',
    'status-x.pdf',
    'finding-.pdf',
  ]) {
    assert.equal(forced(name), undefined, name)
  }
})

test('a file that is encrypted or broken by its name cannot be read', () => {
  assert.equal(forced('finding-encrypted.pdf').readable, false)
  assert.equal(forced('finding-hairline-not_readable.pdf').readable, false)
  assert.equal(forced('finding-hairline.pdf').readable, true)
})

test('a name forces a status, and a queue of half a minute once', () => {
  const severities = (name: string) => forced(name).findings.map(({ severity }: { severity: string }) => severity)
  assert.deepEqual(severities('status-passed.pdf'), [])
  assert.deepEqual(severities('status-passed_with_warnings.pdf'), ['warning'])
  assert.deepEqual(severities('status-needs_changes.pdf'), ['error'])
  assert.equal(forced('status-unreadable.pdf').readable, false)
  assert.deepEqual(forced('status-queued.pdf'), { postponeSeconds: 30 })
  assert.equal(forced('status-queued.pdf', 2), undefined)
})

const service = await testService()
const tester = await sandboxPartner(service)
/** the same calls in production, where names have no effect */
const primary = await partnerOf(service, 'primary')
const { pod } = service.manifest.fixtures.products

async function checkOf(partner: typeof tester | typeof primary, fileName: string): Promise<any> {
  const { path } = await checkBegun(partner, pod, { fileName, bytes: pdfFile() })
  return checkEnded(partner, path)
}

test('a check in the sandbox finds what its file name says, and draws the file; not in production', async () => {
  const { status, findings, pages } = await checkOf(tester, 'finding-hairline-rgb_used.pdf')
  assert.equal(status, 'passed_with_warnings')
  assert.deepEqual(findings, [exampleFinding('hairline'), exampleFinding('rgb_used')])
  assert.equal(pages[0].previews.length, 3)
  const unreadable = await checkOf(tester, 'finding-encrypted.pdf')
  assert.deepEqual([unreadable.status, unreadable.pages], ['unreadable', []])
  assert.equal((await checkOf(tester, 'status-needs_changes.pdf')).status, 'needs_changes')

  const { path } = await checkBegun(tester, pod, {
    fileName: 'finding-hairline.svg',
    bytes: Buffer.from('<html></html>'),
  })
  assert.equal((await checkEnded(tester, path)).status, 'unreadable', 'a name does not make a file readable')

  const real = await checkOf(primary, 'finding-encrypted.pdf')
  assert.equal(real.status, 'passed')
})

test('a file on a line finds what its name says', async () => {
  const { lines } = await placed(tester, orderBuilder(service.manifest).order())
  await attached(tester, lines[0]!, { fileName: 'finding-spot_colours.pdf' })
  const [{ inspection }] = await inspected(tester, lines[0]!)
  assert.deepEqual([inspection.status, inspection.findings], ['passed_with_warnings', [exampleFinding('spot_colours')]])
})

test('a file named status-queued begins to be inspected half a minute late', async () => {
  const { path, checkId } = await checkBegun(tester, pod, { fileName: 'status-queued.pdf', bytes: pdfFile() })
  assert.equal((await tester.get(path)).body.status, 'queued')
  const { statements } = service.sandbox.database
  await until(async () => {
    const row = await statements.row<{ waits: boolean }>(sql`
      select claims = 1 and status = 'queued' and leased_until > now() + interval '20 seconds' as waits
      from artwork_inspection where check_id = ${checkId}`)
    return row!.waits
  })
  assert.equal((await tester.get(path)).body.status, 'queued')
  await statements.rows(sql`update artwork_inspection set leased_until = now() where check_id = ${checkId}`)
  assert.equal((await checkEnded(tester, path)).status, 'passed')
})

test('the documentation lists every magic file name', () => {
  const text = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  for (const { value, effect } of magicFileNames) {
    assert.ok(text.includes(`| \`fileName\` | \`${value}\` | ${effect} |`), value)
    assert.ok(interceptInspection({ fileName: value, claims: 1 }), value)
  }
})
