import type { Tier } from '../../contract/caller.ts'
import type { Transaction } from '../../database/database.ts'
import { registerCertificate } from '../../partners/certificates.ts'
import {
  createPartner,
  issueAppClient,
  setCapabilities,
  setGrantedSites,
  setTier,
  type MachineMethod,
} from '../../partners/partners.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { Scope } from '../../vocabulary/scopes.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/** What a partner needs before it can call. Each part may be left out and given later. */
export type PartnerParts = {
  siteIds?: readonly number[] | undefined
  capabilities?: readonly Scope[] | undefined
  tier?: Tier | undefined
  /** issues an app client */
  client?: { label?: string | undefined } | undefined
  /** registers a certificate */
  certificate?: { pem: string } | undefined
}

type Set = {
  partnerId: string
  /** its secret is nowhere else */
  client: { clientId: string; clientSecret: string } | null
}

/** A refusal of one of the verbs. */
type Refusals = Extract<
  Awaited<
    ReturnType<
      | typeof createPartner
      | typeof setGrantedSites
      | typeof setTier
      | typeof issueAppClient
      | typeof registerCertificate
    >
  >,
  { refused: string }
>

/** Creates a partner with its parts, by the verbs that make each of them: all of it, or nothing. */
export async function setUpPartner(
  tx: Transaction,
  change: Change,
  clientSecretKeys: KeyRing,
  partner: { name: string; machineMethod: MachineMethod },
  { siteIds = [], capabilities = [], tier = 'TRIAL', client, certificate }: PartnerParts,
): Promise<Done<Set> | Refusals> {
  const created = await createPartner(tx, change, partner)
  if ('refused' in created) return created
  const { partnerId } = created.done
  const granted = await setGrantedSites(tx, change, partnerId, siteIds)
  if ('refused' in granted) return granted
  await setCapabilities(tx, change, partnerId, capabilities)
  await setTier(tx, change, partnerId, tier)
  if (certificate) {
    const registered = await registerCertificate(tx, change, partnerId, certificate.pem)
    if ('refused' in registered) return registered
  }
  if (!client) return { done: { partnerId, client: null } }
  const issued = await issueAppClient(tx, change, partnerId, clientSecretKeys, client)
  return 'refused' in issued ? issued : { done: { partnerId, client: issued.done } }
}
