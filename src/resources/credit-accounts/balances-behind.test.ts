import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { ownTime } from '../../../test/world/own-time.ts'
import { openFreshDatabase } from '../../../test/world/database.ts'
import { partner, type Partner } from '../../../test/world/partner.ts'
import { startTestService, testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * A service with a replica. The replica is a copy of the primary that receives no later changes, so an answer shows
 * which of the two was read.
 */
const { owner: replica, url, close } = await openFreshDatabase('template_production')
const service = await testService({ variables: { DATABASE_REPLICA_URL: url } })
after(close)
const primary = await partner(service, 'primary')
const accountId = service.manifest.fixtures.creditAccounts.ofUser
await setBalance(replica, '1.11')

async function setBalance(database: Database, balance: string): Promise<void> {
  await database.statements.rows(sql`
    update credit_account set current_balance = ${balance} where credit_account_id = ${accountId}`)
}

async function shownBalances(by: Partner): Promise<string[]> {
  const { userId, siteId, ...account } = (await by.get(`/v1/credit-accounts/${accountId}`)).body
  const list = (await by.get(`/v1/credit-accounts?userId=${userId}`)).body.creditAccounts
  const ofSite = (await by.get(`/v1/sites/${siteId}/credit-accounts?userId=${userId}`)).body.creditAccounts
  return [account.currentBalance, list[0].currentBalance, ofSite[0].currentBalance]
}

/**
 * Resolves when all three show what the replica holds: one that a busy machine keeps from answering is left alone for a
 * while.
 */
async function showReplica(balance: string): Promise<void> {
  await until(async () => (await shownBalances(primary)).every((each) => each === balance))
}

test('CRD-07 balances are read from the replica, on all three routes', async () => {
  await showReplica('1.11')
  await setBalance(replica, '2.22')
  await showReplica('2.22')
})

test('CRD-07 everything except balances is read from the primary, such as the movements of an account', async () => {
  const { statements } = service.production.database
  await statements.rows(sql`
    insert into credit_adjustment (site_id, credit_account_id, type, amount, balance_after, note, created_on)
    select site_id, credit_account_id, 'MANUAL_CREDIT', '5.00', current_balance + 5, 'only here', now()
    from credit_account where credit_account_id = ${accountId}`)
  const { adjustments } = (await primary.get(`/v1/credit-accounts/${accountId}/adjustments?limit=1`)).body
  assert.equal(adjustments[0].note, 'only here')
})

test('CRD-07 TEN-01 a grant withdrawn on the primary ends immediately, even if the replica still has it', async () => {
  const { statements } = service.production.database
  const neighbour = await partner(service, 'neighbour')
  assert.equal((await neighbour.get(`/v1/credit-accounts/${accountId}`)).status, 200)
  const { partnerId } = service.manifest.partners.neighbour!
  await statements.rows(sql`
    delete from partner_site where partner_id = ${partnerId} and site_id = ${service.manifest.sites.main}`)
  assert.equal((await neighbour.get(`/v1/credit-accounts/${accountId}`)).body.code, 'credit_account_not_found')
  assert.equal((await neighbour.get(`/v1/sites/${service.manifest.sites.main}/credit-accounts`)).status, 404)
})

test('CRD-07 the primary answers a statement that fails only on the replica, and the replica answers the next one', async () => {
  const truth = await primaryBalance()
  await replica.statements.rows(sql`alter table credit_account rename column current_balance to other_name`)
  assert.deepEqual(await shownBalances(primary), [truth, truth, truth])
  await replica.statements.rows(sql`alter table credit_account rename column other_name to current_balance`)
  await showReplica('2.22')
})

async function primaryBalance(): Promise<string> {
  const row = await service.production.database.statements.row<{ currentBalance: string }>(sql`
    select current_balance from credit_account where credit_account_id = ${accountId}`)
  return row!.currentBalance
}

test('CRD-07 ERR-72 a replica that hangs delays no call: the primary answers, and the replica is not asked for a while', async () => {
  const mute = await listenMutely()
  const other = await startTestService({
    databases: service.databases,
    variables: { DATABASE_REPLICA_URL: `postgres://nobody@127.0.0.1:${mute.port}/none` },
    monotonic: () => 0,
  })
  try {
    const by = await partner(other, 'primary')
    const startedAt = ownTime()
    assert.deepEqual(await shownBalances(by), Array(3).fill(await primaryBalance()))
    assert.ok(ownTime() - startedAt < 5_000)
    assert.equal(other.logLines.filter((line) => line.includes('replica did not answer')).length, 1)
  } finally {
    await other.close()
    await mute.close()
  }
})

/** Accepts connections and never answers. */
async function listenMutely(): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
