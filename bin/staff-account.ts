import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { openDatabase } from '../src/database/database.ts'
import { createStaffAccount } from '../src/staff/accounts/staff-accounts.ts'
import { variablesOfProcess } from '../src/variables.ts'
import { SettingRefused } from '../src/vocabulary/setting-refused.ts'
import { databaseUrlOf, runCommand, say } from './commands/command.ts'

/**
 * `npm run -s staff-account USERNAME`: creates a staff account with the role ADMIN and prints its password, once. Use
 * it for the first account; the staff API makes further ones. The database is that of DATABASE_URL, or the embedded one
 * of the service that runs on DATA_DIR. Both may come from the same files as the service's.
 */
await runCommand(async () => {
  const [username, ...rest] = process.argv.slice(2)
  if (username === undefined || rest.length > 0) throw new SettingRefused('usage: npm run -s staff-account USERNAME')
  const { DATA_DIR: dataDir = 'var', DATABASE_URL } = variablesOfProcess(process.env)
  const url = await databaseUrlOf({ dataDir, databaseUrl: DATABASE_URL || undefined }, 'PRODUCTION')
  const database = openDatabase(url, { log: pino({ level: 'silent' }), connections: { changes: 1 } })
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
      say(JSON.stringify({ username, password }))
    }
  } finally {
    await database.close()
  }
})
