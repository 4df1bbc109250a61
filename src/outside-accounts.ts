import { createEgress, type Egress } from './outside/egress/guarded-request.ts'
import type { Carriers } from './outside/carriers/carriers.ts'
import { easyPost } from './outside/carriers/easypost.ts'
import { stripeTax } from './outside/tax-service/stripe-tax.ts'
import type { TaxService } from './outside/tax-service/tax-service.ts'
import type { OutsideAccounts, Settings } from './settings.ts'
import { noteUses, type NoteUse } from './vocabulary/dependencies.ts'
import type { Tracing } from './vocabulary/tracing.ts'
import type { Environment } from './vocabulary/environment.ts'

/** What one environment has at carriers and at a tax service; null = no account. */
export type OpenAccounts = { carriers: Carriers | null; taxService: TaxService | null; close: () => void }

const ofCarriers = ['offers', 'announce', 'buy', 'giveBack'] as const

/** @param observeUse told how each use of a company went */
export function openAccounts(
  settings: Pick<Settings, 'easyPost' | 'stripe'>,
  environment: Environment,
  observeUse: NoteUse,
  tracing: Tracing,
): OpenAccounts {
  const opened: Egress[] = []
  /** The operator's own address may be on a private network. */
  const open = <Account>(
    accounts: OutsideAccounts | undefined,
    speak: (egress: Egress, account: { url: string; key: string }) => Account,
  ): Account | null => {
    const key = accounts?.keys[environment]
    if (!accounts || key === undefined) return null
    const own = new URL(accounts.url).hostname.replace(/^\[|\]$/g, '')
    const egress = createEgress({ allowedHosts: (host) => host === own })
    opened.push(egress)
    return speak(egress, { url: accounts.url, key })
  }
  const carriers = open(settings.easyPost, easyPost)
  const taxService = open(settings.stripe, stripeTax)
  return {
    carriers:
      carriers &&
      tracing.tool(
        'carriers',
        noteUses(carriers, ofCarriers, (isUp) => observeUse('carriers', isUp)),
        ofCarriers,
      ),
    taxService:
      taxService &&
      tracing.tool(
        'tax_service',
        noteUses(taxService, ['percentsAt'], (isUp) => observeUse('tax_service', isUp)),
        ['percentsAt'],
      ),
    close: () => opened.forEach((egress) => egress.close()),
  }
}
