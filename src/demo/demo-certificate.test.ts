import assert from 'node:assert/strict'
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { testMasterKey as demoKey } from '../../test/world/master-key.ts'
import { staffChange } from '../../test/world/partner-builder.ts'
import { listCertificates, revokeCertificate } from '../partners/certificates.ts'
import { partnerIdOf } from './cast/partners.ts'
import { demoCertificate } from './demo-certificate.ts'

const now = new Date('2026-11-20T15:30:00.000Z')
const partnerId = partnerIdOf('certificate')
const folders: string[] = []
const { database } = await testDatabase('template_production')
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** What an instance with a data folder of its own is given. */
async function given(at = now) {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-certificate-'))
  folders.push(dataDir)
  return demoCertificate(database, { demoKey, dataDir, now: at })
}

test('instances that start concurrently share one registered certificate, each with its own files', async () => {
  const all = await Promise.all([given(), given(), given()])
  const [registered, ...more] = await listCertificates(database.reads, partnerId)
  assert.deepEqual(more, [])
  for (const files of all) {
    const certificate = new X509Certificate(await readFile(files!.certFile))
    assert.equal(certificate.toString(), registered!.pem)
    assert.ok(certificate.checkPrivateKey(createPrivateKey(await readFile(files!.keyFile))))
    assert.equal((await stat(files!.keyFile)).mode & 0o777, 0o600)
  }
})

test('a revoked or expired certificate is not created again', async () => {
  assert.equal(await given(new Date('2036-01-01T00:00:00.000Z')), undefined)
  const [registered] = await listCertificates(database.reads, partnerId)
  const { certificateId } = registered!
  await database.transaction((tx) => revokeCertificate(tx, staffChange(now), partnerId, certificateId))
  assert.equal(await given(), undefined)
  assert.deepEqual(await listCertificates(database.reads, partnerId), [])
})
