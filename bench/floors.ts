import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../src/database/database.ts'
import { getOrder } from '../src/resources/orders/get-order.ts'
import { capturedStatements, type Rounds } from './captured-statements.ts'
import type { DemoService } from './demo-service.ts'
import { databaseUrl, type Running, startProcess } from './process.ts'

/** A read of the service, with the statements by which it is answered. */
export type Read = { name: string; path: string; body?: object; rounds: Rounds }

/** `urlOf`: where a floor answers the read of that number. */
export type Floor = { pid: number; urlOf: (index: number) => string; stop: () => Promise<void> }

export function statementsOf(
  { dataDir, manifest }: DemoService,
  handlerOver: (database: Database) => unknown,
  call: Omit<Parameters<typeof capturedStatements>[2], 'siteIds'>,
  siteIds = manifest.partners.primary!.siteIds,
): Promise<Rounds> {
  return capturedStatements(databaseUrl(dataDir), handlerOver, { siteIds, ...call })
}

/** The read whose floor orders are compared with, too. */
export async function readOfOneOrder(service: DemoService): Promise<Read> {
  const { orderNumber } = service.manifest.fixtures.orders.approved
  const rounds = await statementsOf(service, getOrder, { path: { orderNumber } })
  return { name: 'one order', path: `/v1/orders/${orderNumber}`, rounds }
}

/** @param script `floor.ts` or `plain-floor.ts` */
export async function startFloor(dataDir: string, script: string, reads: readonly Read[]): Promise<Floor> {
  const file = join(dataDir, `${script}.json`)
  const cases = reads.map(({ body, rounds }, index) => ({ method: body ? 'POST' : 'GET', path: `/${index}`, rounds }))
  writeFileSync(file, JSON.stringify(cases))
  const floor: Running<{ port: number }> = await startProcess(`bench/${script}`, [file, databaseUrl(dataDir)], {})
  return {
    pid: floor.pid,
    urlOf: (index) => `http://127.0.0.1:${floor.ready.port}/${index}`,
    stop: floor.stop,
  }
}
