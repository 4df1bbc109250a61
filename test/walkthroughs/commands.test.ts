import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fingerprintsOf } from '../../src/master-keys.ts'
import { testMasterKey } from '../world/master-key.ts'

/** What the commands of operators do without a service or a database that answers. */
function run(command: string, variables: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ENV_FILE: '/dev/null', ...variables }
  return promisify(execFile)('sh', ['-euc', command], { env })
}

const nobodyListens = 'postgres://service:secret@127.0.0.1:1'

for (const command of ['npm run -s reconcile', 'npm run -s staff-account dana.reyes', 'npm run -s backup']) {
  test(`\`${command}\` without a database that answers ends with one sentence`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-outage-'))
    t.after(() => rm(folder, { recursive: true }))
    const dataDir = join(folder, 'data')
    // What a server leaves that was killed: only a server of its own can be backed up.
    const cluster = join(dataDir, 'postgres', 'cluster')
    await mkdir(cluster, { recursive: true })
    // The files are there, so that only the database is missing.
    for (const name of ['production', 'sandbox'])
      await mkdir(join(dataDir, 'objects', name, 'objects', '00'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'password'), 'secret')
    await writeFile(join(cluster, 'postmaster.pid'), `2147483646\n${cluster}\n0\n1\n`)
    const variables: Record<string, string> = command.endsWith('backup')
      ? { DATA_DIR: dataDir, BACKUP_DIR: join(folder, 'backups') }
      : { DATA_DIR: dataDir, DATABASE_URL: `${nobodyListens}/one`, SANDBOX_DATABASE_URL: `${nobodyListens}/two` }
    await assert.rejects(run(command, variables), {
      code: 2,
      stdout: '',
      stderr: 'The database cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n',
    })
  })
}

test('the command in docs/keys.md tells the fingerprint of a key, by which a restore names the key it needs', async (t) => {
  const guide = await readFile(new URL('../../docs/keys.md', import.meta.url), 'utf8')
  const [, command] = /```sh\n(npm exec .*)\n```/.exec(guide)!
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-fingerprint-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'secret.key')
  await writeFile(file, `${testMasterKey.toString('hex')}\n`)
  const { stdout } = await run(command!.replace('KEY_FILE', file), {})
  assert.equal(stdout, `${fingerprintsOf([testMasterKey], 'PRODUCTION')[0].toString('hex')}\n`)
})
