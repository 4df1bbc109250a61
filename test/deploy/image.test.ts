import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { chooseFreePort } from '../../src/database/embedded/postmaster.ts'
import type { Manifest } from '../../src/demo/manifest.ts'
import { asService, freshDatabase } from '../world/database.ts'
import { testMasterKey } from '../world/master-key.ts'
import { send, token } from '../world/partner.ts'
import { until } from '../world/webhooks.ts'
import { buildImage, removeImage, type Image } from './image-builder.ts'

/** The image of deploy/Dockerfile is built step by step, and its service is started as a container engine would. */

const root = join(import.meta.dirname, '..', '..')
const skip = whyNot()
if (skip !== false) process.stderr.write(`\n!!! SKIPPED: the test of the image. ${skip}.\n\n`)

function whyNot(): string | false {
  if (process.env.IMAGE !== '1') return 'IMAGE=1 runs it'
  if (process.getuid!() !== 0) return 'it needs root'
  // The root of the image does not have the socket of the server that the tests start.
  if (decodeURIComponent(new URL(process.env.TEST_SERVER_URL!).hostname).startsWith('/'))
    return 'it needs a TEST_SERVER_URL that is reached over TCP'
  try {
    execFileSync('sh', ['-c', 'command -v debootstrap && unshare --mount --pid --fork true'])
    return false
  } catch {
    return 'it needs debootstrap and namespaces'
  }
}

test(
  'every step of the Dockerfile runs, and its service answers as nobody in particular on a root that it cannot write',
  // It brings a Debian and all packages twice.
  { skip, timeout: 900_000 },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-image-'))
    t.after(() => removeImage(folder))
    const [production, sandbox] = [await freshDatabase('template_production'), await freshDatabase('template_sandbox')]
    t.after(() => Promise.all([production.drop(), sandbox.drop()]))
    const image = await buildImage(join(root, 'deploy/Dockerfile'), root, folder, { REVISION: 'r1' }, (line) =>
      t.diagnostic(line),
    )
    const size = (await promisify(execFile)('du', ['-sm', '--apparent-size', image.root])).stdout.split('\t')[0]!
    t.diagnostic(`the image has ${size} MB`)
    assert.ok(Number(size) < 400, `${size} MB`)
    assert.equal(image.user, '10001:10001')
    assert.equal(image.stopSignal, 'SIGTERM')
    assert.deepEqual(image.volumes, ['/data', '/tmp'])

    const databases = {
      DATABASE_URL: asService(production.url),
      SANDBOX_DATABASE_URL: asService(sandbox.url),
    }
    const owners = { MIGRATION_DATABASE_URL: production.url, SANDBOX_MIGRATION_DATABASE_URL: sandbox.url }
    const ports = { PORT: String(await chooseFreePort()), OPS_PORT: String(await chooseFreePort()) }
    const others = { MTLS_PORT: '0', SANDBOX_PORT: '0', DEVELOPER_PORT: '0', CONSOLE_PORT: '0', STORAGE_PORT: '0' }
    const key = { SECRET_KEY: testMasterKey.toString('hex'), DEMO: 'cast' }
    const variables = {
      ...image.environment,
      ...databases,
      ...ports,
      ...others,
      ...key,
      REVISION: image.environment.REVISION!,
    }

    const migrated = spawnIn(image, ['node', 'bin/migrate.ts'], { ...variables, ...owners })
    assert.equal((await migrated.ended)[0], 0, migrated.output())

    const service = spawnIn(image, image.command, { ...variables, ...owners })
    t.after(() => service.child.kill('SIGKILL'))
    const ready = async () => (await fetch(`http://127.0.0.1:${ports.OPS_PORT}/readyz`).catch(() => undefined))?.status
    let gone = false
    void service.ended.then(() => (gone = true))
    await until(async () => gone || (await ready()) === 200)
    assert.ok(!gone, service.output())
    const pid = await pidOf(service.child.pid!)
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m)
    assert.match(status, /^CapEff:\t0+$/m)
    assert.match(await readFile(`/proc/${pid}/mountinfo`, 'utf8'), / \/ ro[, ]/)

    const manifest = JSON.parse(await readFile(`/proc/${pid}/root/data/demo.json`, 'utf8')) as Manifest
    const base = `http://127.0.0.1:${ports.PORT}`
    const bearer = await token(base, manifest.partners.primary!.clients![0]!)
    const me = await send(base, 'GET', '/v1/me', undefined, { authorization: `Bearer ${bearer}` })
    assert.equal(me.status, 200)
    const metrics = await (await fetch(`http://127.0.0.1:${ports.OPS_PORT}/metrics`)).text()
    assert.match(metrics, /build_info\{[^}]*revision="r1"/)
    for (const url of [manifest.hosts.consoleUrl, manifest.hosts.developerUrl])
      assert.equal((await fetch(url)).status, 200, url)

    const check = spawnIn(image, image.healthCheck, variables)
    assert.equal((await check.ended)[0], 0, check.output())
    service.stop(pid, image.stopSignal as NodeJS.Signals)
    assert.equal((await service.ended)[0], 0, service.output())
    const late = spawnIn(image, image.healthCheck, variables)
    assert.equal((await late.ended)[0], 1)
  },
)

/** As a container: its own mounts, the root read-only, fresh volumes, the user of the image, no right to gain another. */
function spawnIn(image: Image, command: readonly string[], env: Readonly<Record<string, string>>) {
  const script = [
    'R="$1"; shift',
    'mount --bind "$R" "$R" && mount -o remount,bind,ro "$R"',
    'mount -t proc proc "$R/proc" && mount -t tmpfs tmpfs "$R/dev" && for d in null zero random urandom; do touch "$R/dev/$d"; mount --bind /dev/$d "$R/dev/$d"; done',
    'mount -t tmpfs -o uid=10001,gid=10001,mode=700 tmpfs "$R/data" && mount -t tmpfs -o mode=1777 tmpfs "$R/tmp"',
    `exec setpriv --no-new-privs --bounding-set=-all,+setuid,+setgid,+sys_chroot chroot --userspec=${image.user} --groups= "$R" /bin/sh -c 'cd ${image.directory} && exec "$@"' sh "$@"`,
  ]
  const words = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-euc',
    script.join('\n'),
    'sh',
    image.root,
    ...command,
  ]
  const child = spawn('unshare', words, {
    env: { ...env, PATH: `${env.PATH}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return {
    child,
    ended: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    output: () => output,
    stop: (pid: number, signal: NodeJS.Signals) => process.kill(pid, signal),
  }
}

async function pidOf(parent: number): Promise<number> {
  return Number((await promisify(execFile)('pgrep', ['--parent', String(parent)])).stdout.trim())
}
