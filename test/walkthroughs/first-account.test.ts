import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sendStaff } from '../world/staff.ts'
import { freshDataDir, startServiceProcess, type ServiceProcess } from '../world/service-process.ts'

/** The operator creates the first staff account while the service runs. */
let dataDir: string
let remove: () => Promise<void>
let service: ServiceProcess

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
  service = await startServiceProcess(dataDir)
})
after(async () => {
  service?.signal('SIGTERM')
  await service?.ended
  await remove()
})

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, command] = /```sh\n(npm run .*)\n```/.exec(operations)!

function run(variables: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...variables }
  return promisify(execFile)('sh', ['-euc', command!], { env })
}

test('the command in docs/operations.md creates the first account in the running service’s database, and the account signs in', async () => {
  const { stdout } = await run({ DATA_DIR: dataDir })
  const account = JSON.parse(stdout) as { username: string; password: string }
  assert.equal(account.username, 'dana.reyes')
  const signIn = (password: string) =>
    sendStaff(service.hosts.consoleUrl, 'POST', '/staff/v1/session', {
      username: account.username,
      password,
      transport: 'bearer',
    })
  assert.equal((await signIn(account.password)).status, 201)
  assert.equal((await signIn(`${account.password}x`)).status, 401)
})

test('a taken name and a folder without a running service each end with one sentence', async () => {
  await assert.rejects(run({ DATA_DIR: dataDir }), { code: 1, stdout: '', stderr: 'dana.reyes: username_taken\n' })
  await assert.rejects(run({ DATA_DIR: `${dataDir}/nowhere` }), {
    code: 2,
    stdout: '',
    stderr: `DATABASE_URL is not set, and no service with a database of its own runs on DATA_DIR ${dataDir}/nowhere.\n`,
  })
})
