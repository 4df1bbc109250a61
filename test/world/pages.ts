import assert from 'node:assert/strict'
import type { Answer, Partner } from './partner.ts'

/** Reads every page of a list and follows `nextCursor` as a client would (PAG-03, PAG-05). */
export async function everyPage<Item>(
  by: Partner,
  path: string,
  plural: string,
  limit: number,
): Promise<{ items: Item[]; sizes: number[] }> {
  const items: Item[] = []
  const sizes: number[] = []
  let cursor: string | null = null
  do {
    const first = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`
    const answer: Answer = await by.get(cursor === null ? first : `${first}&cursor=${cursor}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual(Object.keys(answer.body), [plural, 'nextCursor'])
    const page = answer.body[plural] as Item[]
    items.push(...page)
    sizes.push(page.length)
    cursor = answer.body.nextCursor
  } while (cursor !== null)
  return { items, sizes }
}

/** A refusal without its request ID, so that two refusals can be compared (TEN-02). */
export function sameButRequestId({ status, body }: Answer): unknown {
  return [status, { ...body, requestId: undefined }]
}
