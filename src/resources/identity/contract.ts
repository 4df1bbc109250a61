import { Type } from 'typebox'
import {
  described,
  instant,
  int32,
  nullable,
  oneOf,
  openEnum,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'

export const Liveness = record('Liveness', {
  status: oneOf(['OK']),
  time: described(instant, "the service's clock"),
})

export const Identity = record('Identity', {
  partnerId: described(uuid, 'the same for every credential of one partner'),
  partnerName: text,
  authMethod: described(
    openEnum(['IDP_M2M', 'MTLS', 'IDP_USER']),
    'IDP_M2M: client credentials; MTLS: client certificate; IDP_USER: a person who signed in',
  ),
  environment: openEnum(['PRODUCTION', 'SANDBOX']),
  grantedSiteIds: Type.Array(int32, { description: 'ascending' }),
  scopes: Type.Array(text, { description: 'the effective scopes of this credential: full names, sorted' }),
  clientId: nullable(text),
  tokenExpiresOn: nullable(described(instant, 'null when the credential is a certificate')),
  certificate: nullable(
    record('ClientCertificate', {
      subjectDn: text,
      serialNumber: Type.String({ description: 'hexadecimal' }),
      expiresOn: instant,
    }),
  ),
  user: nullable(record('SignedInUser', { userName: text, email: nullable(text) })),
  limits: record('PartnerLimits', {
    tier: openEnum(['TRIAL', 'STANDARD', 'ENTERPRISE']),
    sustainedPerSecond: described(whole, 'refill rate of the token bucket, in requests per second'),
    burst: described(whole, 'depth of the token bucket'),
    dailyQuota: described(whole, 'requests per day'),
    dailyRemaining: described(whole, 'requests left today, after this one'),
    dailyResetsOn: described(instant, 'the next 00:00 UTC'),
  }),
})

export const identity = {
  ping: operation({
    id: 'ping',
    at: 'GET /v1/ping',
    scope: null,
    open: true,
    answers: { 200: Liveness },
    refuses: [],
    says: 'Reports that the service is up.',
    agents: { offered: 'never' },
  }),
  getMe: operation({
    id: 'getMe',
    at: 'GET /v1/me',
    scope: null,
    answers: { 200: Identity },
    refuses: [],
    says: 'Shows who you are: partner, granted sites, effective scopes and limits.',
  }),
}
