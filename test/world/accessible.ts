import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Nothing on the page keeps somebody out who cannot see it, see colours or use a mouse. */
export async function assertAccessible(page: Page, says: string, excluded: readonly string[] = []): Promise<void> {
  const isThere = await page.evaluate(`typeof axe === 'object'`)
  if (!isThere) await inject(page)
  const told = await page.evaluate(async (exclude) => {
    const { axe: asked, document } = globalThis as any
    // Every rule is asked; what passed is not described, node by node.
    const { violations } = await asked.run({ include: document, exclude }, { resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html.slice(0, 160)).join(' | ')}`,
    )
  }, excluded)
  assert.deepEqual(told, [], says)
}

/** Straight into the page, which takes a third of what `page.evaluate` takes for so long a script. */
async function inject(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe.source })
  await session.detach()
}
