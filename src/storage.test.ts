import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { bucket, openStorageWorld, signingKey } from '../test/world/storage.ts'
import { readSettings } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'
import { openStorage } from './storage.ts'
import { systemClock } from './vocabulary/clock.ts'
import { silent } from '../test/world/partner-builder.ts'
import { startTestService, type TestService } from '../test/world/service.ts'

const elsewhere = await openStorageWorld('embedded')
elsewhere.clock.now = new Date()
after(() => elsewhere.close())

const location = () => ({
  S3_ENDPOINT: elsewhere.endpoint,
  S3_REGION: signingKey.region,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: signingKey.accessKeyId,
  S3_SECRET_ACCESS_KEY: signingKey.secretAccessKey,
})

async function withService(variables: Record<string, string>, work: (service: TestService) => Promise<void>) {
  const service = await startTestService({ variables })
  try {
    await work(service)
  } finally {
    await service.close()
  }
}

const link = (service: TestService, environment: 'production' | 'sandbox', key: string) =>
  service[environment].objectStore.presignGet(key, { lifetimeSeconds: 60, now: new Date() })

test('incomplete settings of an S3 stop the start with a sentence that names what is missing', () => {
  for (const missing of Object.keys(location())) {
    const { [missing]: _, ...rest } = location() as Record<string, string>
    assert.throws(
      () => readSettings(rest),
      (error: Error) => error instanceof SettingRefused && error.message.startsWith(`${missing} must be set too`),
    )
  }
  assert.throws(
    () => readSettings({ ...location(), S3_ENDPOINT: 's3.example' }),
    /^SettingRefused: S3_ENDPOINT must be a URL/,
  )
  assert.throws(() => readSettings({ ...location(), S3_PATH_STYLE: 'yes' }), /S3_PATH_STYLE must be one of on, off/)
  assert.equal(readSettings({}).s3, undefined)
  assert.deepEqual(readSettings({ ...location(), S3_PATH_STYLE: 'on' }).s3?.pathStyle, true)
})

test('without an S3 each environment stores its files in a folder of its own, served by the storage listener', async () => {
  await withService({}, async (service) => {
    const { production, sandbox, hosts } = service
    await production.objectStore.write('a/file', Buffer.from('bytes'))
    const url = await link(service, 'production', 'a/file')
    assert.equal(new URL(url).origin, hosts.storageUrl)
    assert.equal(service.manifest.hosts.storageUrl, hosts.storageUrl)
    assert.equal(await (await fetch(url)).text(), 'bytes')
    assert.equal(await sandbox.objectStore.head('a/file'), undefined)
    assert.equal((await fetch(await link(service, 'sandbox', 'a/file'))).status, 404)
  })
})

test('with an S3 both environments store their files there, apart from each other, and links lead there', async () => {
  await withService({ ...location(), S3_PATH_STYLE: 'on' }, async (service) => {
    const { production, sandbox, hosts } = service
    assert.equal(hosts.storageUrl, elsewhere.endpoint)
    await production.objectStore.write('a/file', Buffer.from('bytes'))
    assert.equal((await elsewhere.store.head('production/a/file'))?.sizeBytes, 5)
    assert.equal(await sandbox.objectStore.head('a/file'), undefined)
    const url = await link(service, 'production', 'a/file')
    assert.ok(url.startsWith(elsewhere.endpoint))
    assert.equal(await (await fetch(url)).text(), 'bytes')
    await production.objectStore.settle('a/file', 'a/settled')
    await production.objectStore.remove('a/file')
    assert.deepEqual(
      [await production.objectStore.head('a/file'), (await production.objectStore.head('a/settled'))?.sizeBytes],
      [undefined, 5],
    )
  })
})

const partsIn = (dataDir: string) => ({
  s3: undefined,
  dataDir,
  masterKeys: [Buffer.alloc(32)] as const,
  clock: systemClock,
  log: silent,
  ownUrl: () => '',
  consoleUrl: () => '',
})

test('a data folder that cannot store files stops the start with a sentence that names DATA_DIR', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-commerce-storage-'))
  try {
    await writeFile(join(dataDir, 'objects'), 'in the way')
    await assert.rejects(openStorage(partsIn(dataDir)), /^SettingRefused: DATA_DIR cannot hold files\./)
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('a start is refused while the files that were in the data folder are gone, and makes nothing in their place', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-commerce-storage-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const [objects, away, mark] = ['objects', 'away', 'objects.made'].map((name) => join(dataDir, name)) as [
    string,
    string,
    string,
  ]
  const open = () => openStorage(partsIn(dataDir))
  const first = await open()
  await first.storeOf('PRODUCTION', 'http://127.0.0.1').write('a/file', Buffer.from('bytes'))
  const isGone = (error: Error): boolean =>
    error instanceof SettingRefused &&
    /were there before and are gone: mount .* remove \S+objects\.made\.$/.test(error.message)

  await rename(objects, away)
  await assert.rejects(open, isGone)
  assert.deepEqual((await readdir(dataDir)).toSorted(), ['away', 'objects.made'])
  // The empty folder on which a disk would be mounted.
  await mkdir(objects)
  await assert.rejects(open, isGone)
  assert.deepEqual(await readdir(objects), [])
  await mkdir(join(objects, 'production', 'objects'), { recursive: true })
  await assert.rejects(open, isGone)
  await rm(objects, { recursive: true })

  await rename(away, objects)
  // A release that made no mark left its files as well.
  await rm(mark)
  const again = await open()
  assert.equal((await again.storeOf('PRODUCTION', 'http://127.0.0.1').head('a/file'))?.sizeBytes, 5)
  await rename(objects, away)
  await assert.rejects(open, isGone)
  await rm(mark)
  const anew = await open()
  assert.equal(await anew.storeOf('PRODUCTION', 'http://127.0.0.1').head('a/file'), undefined)
})

test('reconcile makes nothing: while the files are gone it is refused, and the service stays unready', async () => {
  await withService({}, async (service) => {
    const folder = join(service.dataDir, 'objects')
    const reconcile = () =>
      promisify(execFile)(process.execPath, ['bin/reconcile.ts'], {
        env: {
          ...process.env,
          DATA_DIR: service.dataDir,
          DATABASE_URL: service.databases.production,
          SANDBOX_DATABASE_URL: service.databases.sandbox,
        },
      })
    assert.match((await reconcile()).stdout, /^production files: [1-9].* 0 missing or wrong\nsandbox files: /)
    await rename(folder, `${folder}-away`)
    await assert.rejects(reconcile, (error: Error & { code: number; stderr: string }) => {
      assert.equal(error.code, 2)
      assert.match(error.stderr, /^No files are in \S+: mount their disk, .*\.\n$/)
      return true
    })
    await assert.rejects(readdir(folder), { code: 'ENOENT' })
    await assert.rejects(service.production.objectStore.write('a/file', Buffer.from('bytes')), { name: 'Outage' })
    await rename(`${folder}-away`, folder)
  })
})
