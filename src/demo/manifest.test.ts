import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { demoCast } from './cast/cast.ts'
import { demoManifest, writeManifest } from './manifest.ts'

const demoKey = Buffer.alloc(32, 'demo-manifest-tests')
const now = new Date('2026-11-20T15:30:00.000Z')
const hosts = {
  baseUrl: 'http://127.0.0.1:8080',
  mtlsBaseUrl: 'https://127.0.0.1:8443',
  sandboxBaseUrl: 'http://127.0.0.1:8081',
  developerUrl: 'http://127.0.0.1:8060',
  consoleUrl: 'http://127.0.0.1:8070',
  storageUrl: 'http://127.0.0.1:8090',
  opsUrl: 'http://127.0.0.1:9090',
}

const options = { masterKeys: [demoKey], demoKey, now } as const
const manifest = demoManifest(hosts, {
  production: { demoKey, manifest: demoCast({ ...options, environment: 'PRODUCTION' }).manifest },
  sandbox: { demoKey, manifest: demoCast({ ...options, environment: 'SANDBOX' }).manifest },
})

test('the manifest has every part, partner and fixture by its name', () => {
  assert.deepEqual(Object.keys(manifest).toSorted(), ['fixtures', 'hosts', 'partners', 'sites', 'staff'])
  assert.deepEqual(
    Object.keys(manifest.partners).toSorted(),
    'certificate disabled neighbour outsider primary readonly sandbox scopeless siteless trial'.split(' '),
  )
  assert.deepEqual(
    Object.keys(manifest.sites).toSorted(),
    'divisionAddresses foreign main noOrdering second'.split(' '),
  )
  const fixtures = Object.entries(manifest.fixtures).map(
    ([kind, ids]) => `${kind}: ${Object.keys(ids).toSorted().join(' ')}`,
  )
  assert.deepEqual(fixtures.toSorted(), [
    'creditAccounts: expired inactive ofDivision ofUser',
    'divisions: child deep inactive root',
    'foreign: creditAccountId divisionId imageId itemNumber orderNumber productId segmentId submissionId userId variantId',
    'orders: approved cancelledLine cancelledShipment declined empty hiddenLine internalLine manyLines manyProofFiles noProofing notCreated nullLink pendingReview siteMismatch split',
    'products: imageIds maxQuantity pod shared stock stockVariantId template templateLegacy templateUnconfigured unpriceable withImages',
    'segments: main second',
    'submissions: completed failed',
    'users: allSegmentsVisible autoAssigned inactive plain withAddresses',
  ])
  assert.equal(manifest.partners.sandbox.environment, 'SANDBOX')
})

test('only the owner can read the file, which replaces the previous one and is never half written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-manifest-'))
  try {
    await writeFile(join(folder, 'demo.json'), 'of an earlier start', { mode: 0o644 })
    await writeFile(join(folder, 'demo.json.new'), 'of a start that was killed', { mode: 0o644 })
    const path = await writeManifest(folder, manifest)
    assert.equal(path, join(folder, 'demo.json'))
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), JSON.parse(JSON.stringify(manifest)))
    assert.deepEqual(await readdir(folder), ['demo.json'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
