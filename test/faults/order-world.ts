import assert from 'node:assert/strict'
import pg from 'pg'

/**
 * Invariants of the orders in a database, whatever happened to the service. They query the tables directly, because the
 * API may not show a fault.
 */

export type Stock = ReadonlyMap<number, number>

export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function count(client: pg.Client, query: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from (${query}) as found`, values)
  return Number(rows[0]!.count)
}

/** For each variant with counted stock, the stock plus the pieces that lines took. Orders never change this sum. */
export async function stockEverHeld(client: pg.Client): Promise<Stock> {
  const { rows } = await client.query<{ variant_id: number; pieces: string }>(`
    select variant_id, stock_quantity + (
      select coalesce(sum(stock_taken), 0) from order_line where stock_variant_id = variant.variant_id
    ) as pieces
    from variant where stock_quantity is not null order by variant_id`)
  return new Map(rows.map((row) => [row.variant_id, Number(row.pieces)]))
}

export async function openSubmissions(client: pg.Client): Promise<number> {
  return count(client, `select from submission where status in ('queued', 'processing')`)
}

/** @param stock the stock before the first order */
export async function assertOrdersConsistent(client: pg.Client, stock: Stock): Promise<void> {
  const none: Record<string, string> = {
    'a completed submission without its order': `
      select from submission left join orders using (submission_id)
      where submission.status = 'completed' and orders.order_number is distinct from submission.order_number`,
    'an order of a submission that is not completed': `
      select from orders join submission using (submission_id) where submission.status <> 'completed'`,
    'an order whose submission names another': `
      select from orders join submission using (submission_id)
      where (submission.outcome -> 'order' ->> 'orderNumber')::bigint <> orders.order_number`,
    'two orders under one key': `
      select from orders where partner_order_id is not null group by partner_id, partner_order_id having count(*) > 1`,
    'an order without all its lines': `
      select from submission join orders using (submission_id)
      where (select count(*) from order_line where order_line.order_number = orders.order_number)
        <> jsonb_array_length(submission.body -> 'lines')`,
    'an order that was not audited exactly once': `
      select from orders
      left join (
        select subject_id, count(*) as times from audit_record
        where action = 'order.created' and subject_kind = 'order' group by subject_id
      ) as created on created.subject_id = order_number::text
      where placed_on > (select min(recorded_on) from audit_record) and submission_id is not null
        and created.times is distinct from 1`,
    'an audit record without its order': `
      select from audit_record where action = 'order.created'
        and not exists (select from orders where order_number::text = audit_record.subject_id)`,
    'an order without the event of its beginning': `
      select from orders
      where placed_on > (select min(recorded_on) from audit_record) and submission_id is not null
        and not exists (select from event where event.order_number = orders.order_number)`,
    'a rejection that was not audited exactly once': `
      select from submission
      left join (
        select subject_id, count(*) as times from audit_record where action = 'submission.rejected' group by subject_id
      ) as rejected on rejected.subject_id = submission_id::text
      where status = 'failed' and created_on > (select min(recorded_on) from audit_record)
        and rejected.times is distinct from 1`,
    'an account that differs from its adjustments, or is below zero': `
      select from credit_account
      where current_balance < 0 or current_balance <> (
        select coalesce(sum(amount), 0) from credit_adjustment
        where credit_adjustment.credit_account_id = credit_account.credit_account_id)`,
    'an order whose credit differs from its adjustments': `
      select from orders join submission using (submission_id)
      where credit_applied <> (
        select coalesce(-sum(amount), 0) from credit_adjustment
        where credit_adjustment.order_number = orders.order_number)`,
    'a shelf below zero that takes no back orders': `
      select from variant where stock_quantity < 0 and not backorderable`,
  }
  for (const [what, query] of Object.entries(none)) {
    assert.equal(await count(client, query), 0, `there is ${what}`)
  }
  assert.deepEqual(await stockEverHeld(client), stock)
}
