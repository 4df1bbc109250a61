import type { Caller } from '../../contract/caller.ts'
import type { Handler } from '../../contract/operation.ts'
import { tiers } from '../../partners/tiers.ts'
import { publishedScope } from '../../vocabulary/scopes.ts'
import type { identity } from './contract.ts'

/** The rest of the caller's daily quota, from the throttle. */
export type Remaining = (caller: Caller, now: Date) => Promise<{ dailyRemaining: number; dailyResetsOn: Date }>

export function getMe(remaining: Remaining): Handler<typeof identity.getMe> {
  return async ({ caller, now }) => {
    const { dailyRemaining, dailyResetsOn } = await remaining(caller, now)
    const { certificate } = caller
    return {
      status: 200,
      body: {
        partnerId: caller.partnerId,
        partnerName: caller.partnerName,
        authMethod: caller.authMethod,
        environment: caller.environment,
        grantedSiteIds: [...caller.siteIds],
        scopes: [...caller.scopes].map(publishedScope).toSorted(),
        clientId: caller.clientId,
        tokenExpiresOn: caller.tokenExpiresOn?.toISOString() ?? null,
        certificate: certificate && {
          subjectDn: certificate.subjectDn,
          serialNumber: certificate.serialNumber,
          expiresOn: certificate.expiresOn.toISOString(),
        },
        user: caller.user,
        limits: {
          tier: caller.tier,
          ...tiers[caller.tier],
          dailyRemaining,
          dailyResetsOn: dailyResetsOn.toISOString(),
        },
      },
    }
  }
}
