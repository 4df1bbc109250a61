import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder as clusterFolder, startEmptyCluster, whyNoCluster } from '../cluster/cluster.ts'
import { addresses, namespaceOf } from '../cluster/network.ts'
import { releasesAfterThis } from '../upgrades/releases.ts'

/**
 * Follows deploy/README.md on the practice cluster: every block marked `sh`, in one shell on the machine app1. It runs with
 * CLUSTER=1 only, like the test of the cluster and never beside it. `.ci/run` does that.
 */
const reason = process.env.CLUSTER === '1' ? false : 'CLUSTER=1 runs it: see test/cluster/README.md'
if (reason !== false) process.stderr.write(`\n!!! SKIPPED: the walk through deploy/README.md. ${reason}.\n\n`)

const root = join(import.meta.dirname, '..', '..')
const readme = readFileSync(join(root, 'deploy', 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)

test('every step of deploy/README.md works, from an empty cluster to a new version', { skip: reason }, async (t) => {
  assert.equal(whyNoCluster(), undefined)
  assert.ok(blocks.length >= 10)
  const cluster = await startEmptyCluster()
  // It ends all that runs on its machines.
  t.after(cluster.stop)
  const own = join(clusterFolder, 'walk')
  const [units, settings, prometheus, programs] = ['units', 'settings', 'prometheus', 'bin'].map((name) =>
    join(own, name),
  )
  for (const path of [units!, settings!, prometheus!, programs!]) mkdirSync(path, { recursive: true })
  standIn('systemctl', `exec '${process.execPath}' '${join(import.meta.dirname, 'stand-ins', 'systemctl.ts')}' "$@"`)
  // Each machine of the practice cluster has a folder for what is in the same place on machines of their own.
  standIn(
    'on',
    `own=${clusterFolder}/$1; shift
    mkdir -p $own/bin; export PGBACKREST_CONFIG=$own/pgbackrest.conf PGHOST=$own
    cd / && exec sh -c "$(echo "$*" | sed "s#/var/lib/postgresql/15/main#$own/postgres#g; s#/var/run/postgresql#$own#g; s#/etc/pgbackrest.conf#$own/pgbackrest.conf#g; s#/etc/cron.d#$own#g; s#/usr/local/bin#$own/bin#g")"`,
  )
  function standIn(name: string, script: string): void {
    writeFileSync(join(programs!, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs!, name), 0o755)
  }
  const hadUser = /^commerce:/m.test(readFileSync('/etc/passwd', 'utf8'))
  t.after(() => hadUser || spawnSync('sh', ['-c', 'userdel commerce']))
  const program = join(own, 'program')
  symlinkSync(root, program)
  const { objectStore } = cluster
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    HOME: process.env.HOME,
    STAND_IN: own,
    UNITS: units,
    SETTINGS: settings,
    PROMETHEUS: prometheus,
    // Its usual port is that of an operations listener.
    PROMETHEUS_URL: 'http://127.0.0.1:9095',
    ADMIN_URL: cluster.adminUrl.replace(/:[^:@]+@/, '@'),
    PGPASSWORD: new URL(cluster.adminUrl).password,
    REDIS: `redis://${addresses.cache}:6379`,
    PATRONI: `http://${addresses.db1}:8008`,
    ADDRESS: addresses.app1,
    PARTNERS: `http://${addresses.app1}`,
    REPOSITORY: join(own, 'backups'),
    RESTORED: join(own, 'restored'),
    PROGRAM: program,
    NEXT: (await releasesAfterThis(own))[1],
    STORE: objectStore.endpoint,
    STORE_REGION: objectStore.region,
    BUCKET: objectStore.bucket,
    STORE_ID: objectStore.accessKeyId,
    STORE_SECRET: objectStore.secretAccessKey,
    DRAIN_SECONDS: '0',
  }
  const script = blocks.map((block, at) => `echo "=== ${at + 1}"\n${block}`).join('\n')
  const words = ['netns', 'exec', namespaceOf('app1'), 'bash', '-euo', 'pipefail', '-c', script]
  const child = spawn('ip', words, { cwd: program, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  const logs = readdirSync(own).filter((name) => name.endsWith('.log'))
  const said = logs.map((name) => `--- ${name}\n${readFileSync(join(own, name), 'utf8').slice(-1_500)}`).join('\n')
  assert.equal(code, 0, `${output}\n${said}`)
  assert.match(output, new RegExp(`=== ${blocks.length}\n`))
  assert.match(output, /client secrets of app clients: \d+ sealed by an older key, 0 left/)
  assert.match(output, /production files: [1-9]\d* named by rows, 0 missing or wrong/)
  assert.match(output, /newest backup is known/)
  assert.match(output, /One key is listed, and it is the only one in use\./)
})
