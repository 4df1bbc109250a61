import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pino from 'pino'
import { openDatabase } from '../src/database/database.ts'
import { runningServerUrl } from '../src/database/embedded/running-server.ts'
import { createStaffAccount } from '../src/staff/accounts/staff-accounts.ts'

/**
 * `npm run -s staff-account USERNAME`: creates a staff account with the role ADMIN and prints its password, once. Use
 * it for the first account; the staff API makes further ones. The database is that of DATABASE_URL, or the embedded one
 * of the service that runs on DATA_DIR.
 */
const [username, ...rest] = process.argv.slice(2)
if (username === undefined || rest.length > 0) {
  process.stderr.write('usage: npm run -s staff-account USERNAME\n')
  process.exit(2)
}
const dataDir = process.env.DATA_DIR || 'var'
const url = process.env.DATABASE_URL || (await runningServerUrl(join(dataDir, 'postgres'), 'production', 'service'))
if (url === undefined) {
  process.stderr.write(
    `DATABASE_URL is not set, and no service with a database of its own runs on DATA_DIR ${dataDir}.\n`,
  )
  process.exit(2)
}
const database = openDatabase(url, { log: pino({ level: 'silent' }), poolSize: 1 })
try {
  const password = randomBytes(18).toString('base64url')
  const change = { actor: { kind: 'SYSTEM', id: 'bin/staff-account.ts' }, now: new Date(), requestId: null } as const
  const created = await database.change((tx) =>
    createStaffAccount(tx, change, { username, password, roles: ['ADMIN'] }),
  )
  if ('refused' in created) {
    process.stderr.write(`${username}: ${created.refused}\n`)
    process.exitCode = 1
  } else {
    process.stdout.write(`${JSON.stringify({ username, password })}\n`)
  }
} finally {
  await database.close()
}
