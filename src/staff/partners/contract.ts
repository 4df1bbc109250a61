import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  instant,
  idInBody,
  int32,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { limitFields } from '../../contract/limits.ts'
import { exactFilter, flagFilter, paged } from '../../contract/parameters.ts'
import { scopes } from '../../vocabulary/scopes.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const tier = oneOf(['TRIAL', 'STANDARD', 'ENTERPRISE'])
const machineMethod = oneOf(['BEARER', 'MTLS'])
const capabilities = Type.Array(oneOf(scopes), { maxItems: scopes.length })

export const PartnerView = record('Partner', {
  partnerId: uuid,
  name: text,
  machineMethod: described(machineMethod, 'how it authenticates; fixed at onboarding'),
  tier,
  siteIds: described(Type.Array(int32), 'granted sites, ascending'),
  capabilities: described(Type.Array(oneOf(scopes)), 'scopes without their prefix'),
  secondFactorRequired: described(flag, 'whether its people need a second factor to sign in'),
  disabledOn: nullable(described(instant, 'null = enabled')),
  mergedInto: nullable(described(uuid, 'the partner that took everything over; null = not merged')),
  createdOn: instant,
  updatedOn: instant,
})

const PartnerLimits = record('PartnerLimits', {
  ...limitFields,
  edge: record('EdgeLimit', {
    requests: described(whole, 'from one network address; beyond it, the address gets 403 for a while'),
    seconds: whole,
  }),
})

export const AppClientView = record('AppClient', {
  clientId: text,
  label: nullable(text),
  madeByPartner: described(flag, 'true = the partner made it itself, in the sandbox'),
  createdOn: instant,
  lastUsedOn: nullable(described(instant, 'approximately when it last took a token; null = never')),
})

export const IssuedAppClient = record('IssuedAppClient', {
  clientId: text,
  clientSecret: described(text, 'shown only in this answer'),
})

const CreatedPartner = record('CreatedPartner', {
  ...PartnerView.properties,
  client: nullable(IssuedAppClient),
})

export const CertificateView = record('Certificate', {
  certificateId: uuid,
  subjectDn: text,
  serialNumber: text,
  sha256: described(text, 'hexadecimal'),
  pem: text,
  registeredOn: instant,
  startsOn: instant,
  expiresOn: instant,
})

const CertificateOfPartner = record('PartnerCertificate', {
  partnerId: uuid,
  partnerName: text,
  ...CertificateView.properties,
})

export const Revoked = record('Revoked', { revoked: Type.Literal(true) })

export const partners = staffSubject({
  name: 'Partners',
  says: 'Partners: their sites, capabilities, tier and status, and the credentials with which they authenticate.',
  problems: {
    partner_not_found: [404, 'No such partner.'],
    partner_merged: [409, 'The partner was merged into another, and stays disabled.'],
    client_not_found: [404, 'The partner has no such app client.'],
    certificate_not_found: [404, 'The partner has no such certificate, or it is revoked.'],
    not_a_bearer_partner: [409, 'The partner authenticates with certificates and cannot have app clients.'],
    not_an_mtls_partner: [409, 'The partner authenticates with app clients and cannot have certificates.'],
    two_clients_live: [409, 'The partner already has two app clients: revoke one first.'],
    two_certificates_live: [409, 'The partner already has two certificates: revoke one first.'],
    certificate_taken: [409, 'A certificate with this subject and serial number is registered already.'],
    label_not_usable: [422, 'A label is one line of 1 to 200 characters with one that is visible.'],
    name_not_usable: [422, 'A name has 1 to 200 characters and is not blank.'],
    sites_not_found: [422, 'Some of the sites do not exist.'],
    certificate_not_usable: [422, 'The certificate cannot be registered.'],
  },
  operations: {
    listPartners: staffOperation({
      id: 'listPartners',
      at: 'GET /staff/v1/{environment}/partners',
      permission: 'partners:read',
      query: {
        q: exactFilter(200, 'only partners whose name begins with this, in any letter case'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'partners',
      answers: { 200: pageOf('PartnerPage', 'partners', PartnerView) },
      refuses: [],
      says: 'Lists partners by name.',
    }),
    createPartner: staffOperation({
      id: 'createPartner',
      at: 'POST /staff/v1/{environment}/partners',
      permission: 'partners:write',
      body: {
        schema: bodyObject({
          name: textUpTo(400),
          machineMethod: described(machineMethod, 'fixed'),
          siteIds: Type.Optional(Type.Array(idInBody, { maxItems: 10_000, description: 'granted sites' })),
          capabilities: Type.Optional(described(capabilities, 'none by default')),
          tier: Type.Optional(described(tier, 'TRIAL by default')),
          client: Type.Optional(
            described(
              bodyObject({ label: Type.Optional(textUpTo(200)) }),
              'issues an app client; only for machineMethod BEARER',
            ),
          ),
          certificate: Type.Optional(
            described(
              bodyObject({ pem: textUpTo(100_000) }),
              'registers a certificate, followed by its issuers, the root last; only for machineMethod MTLS',
            ),
          ),
        }),
      },
      answers: { 201: CreatedPartner },
      confidential: true,
      refuses: [
        'name_not_usable',
        'sites_not_found',
        'certificate_not_usable',
        'partner_not_found',
        'partner_merged',
        'not_a_bearer_partner',
        'not_an_mtls_partner',
        'two_clients_live',
        'two_certificates_live',
        'certificate_taken',
        'label_not_usable',
      ],
      says: 'Creates a partner, with its sites, capabilities, tier and first credential if they are sent: all of it, or nothing. The secret of an app client is shown only in this answer.',
    }),
    readPartner: staffOperation({
      id: 'readPartner',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}',
      permission: 'partners:read',
      answers: { 200: PartnerView },
      refuses: ['partner_not_found'],
      says: 'Shows a partner.',
    }),
    readPartnerLimits: staffOperation({
      id: 'readPartnerLimits',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/limits',
      permission: 'partners:read',
      answers: { 200: PartnerLimits },
      refuses: ['partner_not_found'],
      says: 'Shows what a partner may call by its tier, and what is left of it now and today.',
    }),
    renamePartner: staffOperation({
      id: 'renamePartner',
      at: 'PUT /staff/v1/{environment}/partners/{partnerId}/name',
      revises: 'readPartner',
      permission: 'partners:write',
      body: { schema: bodyObject({ name: textUpTo(400) }) },
      answers: { 200: PartnerView },
      refuses: ['partner_not_found', 'partner_merged', 'name_not_usable'],
      says: 'Renames a partner. The audit log keeps the names that it had.',
    }),
    setGrantedSites: staffOperation({
      id: 'setGrantedSites',
      at: 'PUT /staff/v1/{environment}/partners/{partnerId}/sites',
      revises: 'readPartner',
      permission: 'partners:write',
      body: { schema: bodyObject({ siteIds: Type.Array(idInBody, { maxItems: 10_000 }) }) },
      answers: { 200: PartnerView },
      refuses: ['partner_not_found', 'partner_merged', 'sites_not_found'],
      says: 'Replaces the sites that a partner is granted.',
    }),
    setCapabilities: staffOperation({
      id: 'setCapabilities',
      at: 'PUT /staff/v1/{environment}/partners/{partnerId}/capabilities',
      revises: 'readPartner',
      permission: 'partners:write',
      body: { schema: bodyObject({ capabilities }) },
      answers: { 200: PartnerView },
      refuses: ['partner_not_found', 'partner_merged'],
      says: 'Replaces the capabilities of a partner.',
    }),
    setTier: staffOperation({
      id: 'setTier',
      at: 'PUT /staff/v1/{environment}/partners/{partnerId}/tier',
      revises: 'readPartner',
      permission: 'partners:write',
      body: { schema: bodyObject({ tier }) },
      answers: { 200: PartnerView },
      refuses: ['partner_not_found'],
      says: 'Moves a partner to another tier. The limits of the tier apply from the next request on.',
    }),
    disablePartner: staffOperation({
      id: 'disablePartner',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/disable',
      permission: 'partners:write',
      answers: { 200: PartnerView },
      refuses: ['partner_not_found'],
      says: 'Disables a partner: its credentials get 401 from the next request on.',
    }),
    enablePartner: staffOperation({
      id: 'enablePartner',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/enable',
      permission: 'partners:write',
      answers: { 200: PartnerView },
      refuses: ['partner_not_found', 'partner_merged'],
      says: 'Enables a disabled partner: its credentials work again.',
    }),
    listAppClients: staffOperation({
      id: 'listAppClients',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/clients',
      permission: 'partners:read',
      answers: { 200: record('AppClients', { clients: Type.Array(AppClientView) }) },
      refuses: ['partner_not_found'],
      says: 'Lists the app clients of a partner: two at most, and in the sandbox up to five that the partner made itself.',
    }),
    issueAppClient: staffOperation({
      id: 'issueAppClient',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/clients',
      permission: 'partners:write',
      body: { schema: bodyObject({ label: Type.Optional(textUpTo(200)) }), optional: true },
      answers: { 201: IssuedAppClient },
      confidential: true,
      refuses: ['partner_not_found', 'partner_merged', 'not_a_bearer_partner', 'two_clients_live', 'label_not_usable'],
      says: 'Issues an app client. Its secret is shown only in this answer.',
    }),
    revokeAppClient: staffOperation({
      id: 'revokeAppClient',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/clients/{clientId}/revoke',
      permission: 'partners:write',
      answers: { 200: Revoked },
      refuses: ['client_not_found'],
      says: 'Revokes an app client: it takes no further token, and its tokens get 401 from the next request on.',
    }),
    listCertificates: staffOperation({
      id: 'listCertificates',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/certificates',
      permission: 'partners:read',
      answers: { 200: record('Certificates', { certificates: Type.Array(CertificateView) }) },
      refuses: ['partner_not_found'],
      says: 'Lists the certificates of a partner that are not revoked, the latest to expire first.',
    }),
    listAllCertificates: staffOperation({
      id: 'listAllCertificates',
      at: 'GET /staff/v1/{environment}/certificates',
      permission: 'partners:read',
      query: {
        ending: flagFilter(
          'invalid_request',
          'true = only certificates of enabled partners that end within 30 days, or have ended, and have no successor; false = only the others',
        ),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'certificates',
      answers: { 200: pageOf('PartnerCertificatePage', 'certificates', CertificateOfPartner) },
      refuses: [],
      says: 'Lists the certificates of all partners that are not revoked, the first to expire first.',
    }),
    registerCertificate: staffOperation({
      id: 'registerCertificate',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/certificates',
      permission: 'partners:write',
      body: {
        schema: bodyObject({
          pem: described(textUpTo(100_000), 'the certificate, followed by its issuers, the root last'),
        }),
      },
      answers: { 201: CertificateView },
      refuses: [
        'certificate_not_usable',
        'partner_not_found',
        'partner_merged',
        'not_an_mtls_partner',
        'two_certificates_live',
        'certificate_taken',
      ],
      says: 'Registers a certificate. From then on it authenticates the partner.',
    }),
    revokeCertificate: staffOperation({
      id: 'revokeCertificate',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/certificates/{certificateId}/revoke',
      permission: 'partners:write',
      answers: { 200: Revoked },
      refuses: ['certificate_not_found'],
      says: 'Revokes one certificate.',
    }),
  },
})
