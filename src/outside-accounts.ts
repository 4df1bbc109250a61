import { createEgress, type Egress } from './outside/egress/guarded-request.ts'
import type { Carriers } from './outside/carriers/carriers.ts'
import { easyPost } from './outside/carriers/easypost.ts'
import { stripeTax } from './outside/tax-service/stripe-tax.ts'
import type { TaxService } from './outside/tax-service/tax-service.ts'
import type { OutsideAccounts, Settings } from './settings.ts'
import type { Environment } from './vocabulary/environment.ts'

/** What one environment has at carriers and at a tax service; null = no account. */
export type OpenAccounts = { carriers: Carriers | null; taxService: TaxService | null; close: () => void }

export function openAccounts(settings: Pick<Settings, 'easyPost' | 'stripe'>, environment: Environment): OpenAccounts {
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
  return {
    carriers: open(settings.easyPost, easyPost),
    taxService: open(settings.stripe, stripeTax),
    close: () => opened.forEach((egress) => egress.close()),
  }
}
