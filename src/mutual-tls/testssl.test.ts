import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'node:test'
import { startTestService } from '../../test/world/service.ts'

/** In a file of its own, since it mostly waits and other tests need not wait with it. */
const judge = '/usr/bin/testssl'
const skip = !process.env.REQUIRE_SERVICES && !existsSync(judge) && `${judge} is not there`
/** Protocols, suites by strength, forward secrecy, known attacks. */
const asked = ['-p', '-s', '-f', '-U', '--nodns', 'none', '--openssl-timeout', '5', '--warnings', 'off', '--color', '0']
/** Whether the machine's OpenSSL has an engine for GOST says nothing about the listener. */
const environment = { ...process.env, NO_ENGINE: 'true' }
/** What it cannot test without a client certificate. Renegotiation is off, and nothing is ever compressed. */
const untried = ['secure_client_renego', 'BREACH']

test('testssl.sh finds nothing in protocols, suites, key exchange and known attacks', { skip }, async () => {
  const service = await startTestService()
  const folder = await mkdtemp(join(tmpdir(), 'testssl-'))
  try {
    const written = join(folder, 'found.json')
    const scan = [...asked, '--jsonfile', written, new URL(service.hosts.mtlsBaseUrl).host]
    // Its exit code also counts what it could not test; the findings are checked below.
    await promisify(execFile)(judge, scan, { env: environment, timeout: 240_000 }).catch(() => undefined)
    const findings: { id: string; severity: string }[] = JSON.parse(await readFile(written, 'utf8'))
    const good = findings.filter(({ severity }) => severity === 'OK').map(({ id }) => id)
    for (const id of ['TLS1_2', 'TLS1_3', 'cipherlist_STRONG', 'PFS', 'heartbleed', 'CCS', 'ROBOT', 'LUCKY13'])
      assert.ok(good.includes(id), `${id} in ${JSON.stringify(findings)}`)
    const doubts = findings.filter(
      ({ id, severity }) => !['OK', 'INFO', 'DEBUG'].includes(severity) && !untried.includes(id),
    )
    assert.deepEqual(doubts, [])
  } finally {
    await rm(folder, { recursive: true, force: true })
    await service.close()
  }
})
