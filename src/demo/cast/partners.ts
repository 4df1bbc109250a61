import type { AuthMethod, Tier } from '../../contract/caller.ts'
import { sealClientSecret } from '../../partners/client-secret.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import type { CastOptions } from './options.ts'
import { keyRing } from '../../vocabulary/keys.ts'
import { scopes, publishedScope, type Scope } from '../../vocabulary/scopes.ts'
import { daysBefore } from '../calendar.ts'
import { sites } from './sites.ts'
import { demoAppClient, demoPerson, demoSignInClient, demoUuid, type AppClient, type Person } from '../credentials.ts'
import type { Tables } from '../insert.ts'

/** The partners of the demo data: one for each kind and state of credentials. */

export type PartnerKey =
  | 'primary'
  | 'neighbour'
  | 'outsider'
  | 'readonly'
  | 'trial'
  | 'disabled'
  | 'siteless'
  | 'scopeless'
  | 'certificate'
  | 'sandbox'

/** Besides the sandbox partner there is one whose data it must not see; that one has no credentials. */
type SilentKey = 'sandboxNeighbour'

type Partner = {
  key: PartnerKey | SilentKey
  machineMethod: 'BEARER' | 'MTLS'
  environment: Environment
  name: string
  tier: Tier
  siteIds: readonly number[]
  scopes: readonly Scope[]
  clientCount: number
  isDisabled?: true
  /** whether a person may sign in for it */
  hasPerson?: true
}

/** A partner in the manifest. */
export type PartnerEntry = {
  partnerId: string
  name: string
  environment: Environment
  authMethod: AuthMethod
  tier: Tier
  siteIds: number[]
  /** published names */
  scopes: string[]
  clients?: AppClient[]
  /** paths: the partner's certificate and key, and what it is to trust */
  certificate?: { certFile: string; keyFile: string; caFile: string }
  /** a person of the partner, and the application they may sign in with; on loopback its port is free */
  signIn?: Person & { clientId: string; redirectUri: string }
}

const granted = [sites.main, sites.second, sites.noOrdering, sites.divisionAddresses]
const readScopes = scopes.filter((scope) => scope.endsWith(':read'))
const standard = {
  machineMethod: 'BEARER',
  environment: 'PRODUCTION',
  tier: 'STANDARD',
  siteIds: [sites.main],
  scopes,
  clientCount: 1,
} as const

const partners: readonly Partner[] = [
  {
    ...standard,
    key: 'primary',
    name: 'Northwind Marketing',
    tier: 'ENTERPRISE',
    siteIds: granted,
    clientCount: 2,
    hasPerson: true,
  },
  { ...standard, key: 'neighbour', name: 'Harborlight Agency', tier: 'ENTERPRISE', siteIds: granted },
  { ...standard, key: 'outsider', name: 'Thistle & Rose', tier: 'ENTERPRISE', siteIds: [sites.foreign] },
  { ...standard, key: 'readonly', name: 'Lookout Analytics', siteIds: granted, scopes: readScopes },
  { ...standard, key: 'trial', name: 'Fledgling Studio', tier: 'TRIAL' },
  { ...standard, key: 'disabled', name: 'Lapsed Media', isDisabled: true },
  { ...standard, key: 'siteless', name: 'Waiting Room Creative', siteIds: [] },
  { ...standard, key: 'scopeless', name: 'Closed Gate Design', scopes: [] },
  {
    ...standard,
    key: 'certificate',
    name: 'Ironclad Print Procurement',
    tier: 'ENTERPRISE',
    machineMethod: 'MTLS',
    clientCount: 0,
  },
  {
    ...standard,
    key: 'sandbox',
    environment: 'SANDBOX',
    name: 'Northwind Marketing (sandbox)',
    tier: 'ENTERPRISE',
    siteIds: granted,
    hasPerson: true,
  },
  {
    ...standard,
    key: 'sandboxNeighbour',
    environment: 'SANDBOX',
    name: 'Harborlight Agency (sandbox)',
    siteIds: [sites.main, sites.foreign],
    clientCount: 0,
  },
]

export function partnerIdOf(key: PartnerKey | SilentKey): string {
  return demoUuid(`partner/${key}`)
}

/** Those for whom a person may sign in. */
export function partnersWithPeople(environment: Environment): readonly (PartnerKey | SilentKey)[] {
  return partners.filter((partner) => partner.environment === environment && partner.hasPerson).map(({ key }) => key)
}

function clientsOf({ key, clientCount }: Partner, { environment, demoKey }: Keyed): AppClient[] {
  return Array.from({ length: clientCount }, (_, index) => demoAppClient(demoKey, environment, key, index + 1))
}

type Keyed = Pick<CastOptions, 'environment' | 'demoKey'>

export function partnerTables(options: CastOptions): Tables {
  const { now, environment, masterKeys } = options
  const here = partners.filter((partner) => partner.environment === environment)
  const clientSecretKeys = keyRing(masterKeys, environment, 'client-secret')
  const onboardedOn = daysBefore(now, 365)
  return [
    [
      'partner',
      here.map((partner) => ({
        partnerId: partnerIdOf(partner.key),
        name: partner.name,
        tier: partner.tier,
        machineMethod: partner.machineMethod,
        capabilities: partner.scopes,
        disabledOn: partner.isDisabled ? daysBefore(now, 20) : null,
        createdOn: onboardedOn,
        updatedOn: daysBefore(now, 20),
      })),
    ],
    [
      'partner_site',
      here.flatMap((partner) =>
        partner.siteIds.map((siteId) => ({
          partnerId: partnerIdOf(partner.key),
          siteId: siteId,
          grantedOn: onboardedOn,
        })),
      ),
    ],
    [
      'app_client',
      here.flatMap((partner) =>
        clientsOf(partner, options).map(({ clientId, clientSecret }, index) => ({
          clientId,
          partnerId: partnerIdOf(partner.key),
          secretHash: `\\x${sealClientSecret(clientSecretKeys, clientId, clientSecret).toString('hex')}`,
          label: `Demo client ${index + 1}`,
          createdOn: onboardedOn,
        })),
      ),
    ],
  ]
}

/** The partners of the manifest. */
export function partnerEntries(keyed: Keyed): Partial<Record<PartnerKey, PartnerEntry>> {
  const { environment, demoKey } = keyed
  const here = partners.filter((partner) => partner.environment === environment)
  return Object.fromEntries(
    here.flatMap((partner): [string, PartnerEntry][] => {
      const isSilent = partner.machineMethod === 'BEARER' && partner.clientCount === 0
      if (isSilent) return []
      const entry: PartnerEntry = {
        partnerId: partnerIdOf(partner.key),
        name: partner.name,
        environment,
        authMethod: partner.machineMethod === 'MTLS' ? 'MTLS' : 'IDP_M2M',
        tier: partner.tier,
        siteIds: [...partner.siteIds],
        scopes: partner.scopes.map(publishedScope),
        ...(partner.machineMethod === 'MTLS' ? {} : { clients: clientsOf(partner, keyed) }),
        ...(partner.hasPerson && {
          signIn: {
            ...demoPerson(demoKey, environment, partner.key),
            clientId: demoSignInClient.clientId,
            redirectUri: demoSignInClient.redirectUri,
          },
        }),
      }
      return [[partner.key, entry]]
    }),
  )
}
