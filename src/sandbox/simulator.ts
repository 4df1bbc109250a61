import type { Logger } from 'pino'
import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { startWorker, type Worker } from '../database/worker.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import type { Actor } from '../vocabulary/change.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { Outage } from '../vocabulary/outage.ts'
import { hasWork } from './due-orders.ts'
import { awaitedArtwork, nextStep, type NextStep } from './plan.ts'
import { readSimulatedOrder, type SimulatedOrder } from './simulated-order.ts'
import { takeStep } from './take-step.ts'

/** Hinted when something may be due. */
export const dueChannel = 'sandbox_due'

export const simulatorActor: Actor = { kind: 'SIMULATOR', id: 'sandbox' }

type Claim = { orderNumber: number; claims: number }

/** Longer than any step takes. */
const leaseSeconds = 10
const pollMilliseconds = 1_000
/** Orders that are moved at once. */
const slots = 4
/** A step that the plan wants and the platform refuses is tried again this much later, by the partner's clock. */
const refusedMilliseconds = 5 * 60_000

/** Hands an order to the simulator, in the transaction that places it. */
export async function enrolOrder(tx: Transaction, partnerId: string, orderNumber: number): Promise<void> {
  await tx.rows(sql`
    insert into sandbox_order (order_number, partner_id) values (${orderNumber}, ${partnerId})`)
}

/**
 * Moves the orders of the sandbox through their states, each by its partner's clock. Every step is dated at the instant
 * at which it was due, up to the clock's time: a clock put ahead by days yields days of history. A claim is a lease,
 * renewed before every step. A simulator that takes over has the higher claim number, after which the former one takes
 * no further step. The order is read again before each step, so a step that was taken but not noted is not repeated.
 */
export function startSimulator(parts: {
  database: Database
  objectStore: ObjectStore
  /** real time */
  clock: Clock
  log: Logger
}): Worker {
  const { database, clock, log } = parts

  /** Leases use the database's clock, the one clock that all simulators share. */
  async function claim(most: number): Promise<Claim[]> {
    return database.statements.rows<Claim>(sql`
      with next as (
        select simulated.order_number
        from sandbox_order simulated
        join orders using (order_number)
        left join sandbox_clock on sandbox_clock.partner_id = simulated.partner_id
        where (simulated.leased_until is null or simulated.leased_until < now())
          and ${hasWork(clock())}
        order by simulated.due_on nulls first
        limit ${most}
        for update of simulated skip locked
      )
      update sandbox_order
      set leased_until = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1
      from next where sandbox_order.order_number = next.order_number
      returning sandbox_order.order_number, claims`)
  }

  async function work(each: Claim, closing: AbortSignal): Promise<void> {
    try {
      await play(each, closing)
    } catch (error) {
      const facts = { orderNumber: each.orderNumber, err: error }
      if (error instanceof Outage) log.warn(facts, 'an outage delays an order of the sandbox')
      else log.error(facts, 'a bug keeps an order of the sandbox from going on')
      // The next try follows when the lease lapses.
    } finally {
      worker.wake()
    }
  }

  /** Takes every step that is due, then notes when the next one is. */
  async function play(each: Claim, closing: AbortSignal): Promise<void> {
    let refused: NextStep | undefined
    while (!closing.aborted) {
      const renewed = await renew(each)
      if (!renewed) return
      const { now, artworkEnded } = renewed
      const order = await readSimulatedOrder(database.reads, each.orderNumber)
      if (!order || order.status === 'COMPLETED' || order.status === 'CANCELLED') return letGo(each)
      const next = nextStep(order)
      if (!next || next.dueOn > now) {
        const awaited = awaitedArtwork(order)
        if (awaited && awaited <= now) return rest(each, order, next?.dueOn ?? null, artworkEnded)
        return rest(each, order, earliest(next?.dueOn, awaited))
      }
      if (refused && isSame(refused, next)) {
        return rest(each, order, new Date(now.getTime() + refusedMilliseconds))
      }
      // Never earlier than the order's last change.
      const at = new Date(Math.max(next.dueOn.getTime(), order.updatedOn.getTime()))
      const outcome = await takeStep(parts, order, next, { actor: simulatorActor, now: at, requestId: null })
      // A refusal may mean that another actor was quicker. The order is read again either way.
      refused = 'refused' in outcome ? next : undefined
      if ('refused' in outcome) {
        log.info({ orderNumber: each.orderNumber, step: next.step, refused: outcome.refused }, 'a step was refused')
      }
    }
    await rest(each, undefined, null)
  }

  /**
   * @returns the partner's time, and how many inspections had ended before the order is read; undefined when another
   * simulator has taken over
   */
  async function renew(each: Claim): Promise<{ now: Date; artworkEnded: number } | undefined> {
    const row = await database.statements.row<{ aheadMilliseconds: number; artworkEnded: number }>(sql`
      update sandbox_order set leased_until = now() + make_interval(secs => ${leaseSeconds})
      where order_number = ${each.orderNumber} and claims = ${each.claims}
      returning coalesce((
        select ahead_milliseconds from sandbox_clock where sandbox_clock.partner_id = sandbox_order.partner_id
      ), 0) as ahead_milliseconds, artwork_ended`)
    return row && { now: new Date(clock().getTime() + row.aheadMilliseconds), artworkEnded: row.artworkEnded }
  }

  /**
   * @param order as last read; undefined = it is due again at once
   * @param artworkSeen how many inspections had ended, where a step waits for another one
   */
  async function rest(
    each: Claim,
    order: SimulatedOrder | undefined,
    dueOn: Date | null,
    artworkSeen: number | null = null,
  ): Promise<void> {
    await database.statements.rows(sql`
      update sandbox_order
      set leased_until = null, due_on = ${dueOn}, seen_on = ${order?.updatedOn ?? null}, artwork_seen = ${artworkSeen}
      where order_number = ${each.orderNumber} and claims = ${each.claims}`)
  }

  async function letGo(each: Claim): Promise<void> {
    await database.statements.rows(sql`
      delete from sandbox_order where order_number = ${each.orderNumber} and claims = ${each.claims}`)
  }

  const worker = startWorker({
    log,
    failed: 'orders of the sandbox cannot be claimed; trying again soon',
    pollMilliseconds,
    hints: { database, channel: dueChannel },
    slots,
    round: async ({ free, begin, closing }) => {
      const claims = await claim(free)
      for (const each of claims) begin(() => work(each, closing))
      return claims.length === free
    },
  })
  return worker
}

function earliest(...instants: (Date | undefined)[]): Date | null {
  const given = instants.filter((each) => each !== undefined)
  return given.length === 0 ? null : new Date(Math.min(...given.map((each) => each.getTime())))
}

function isSame(a: NextStep, b: NextStep): boolean {
  return a.step === b.step && a.lineNumber === b.lineNumber && a.shipmentNumber === b.shipmentNumber
}
