import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../contract/caller.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import { effectiveScopes, type NoteRefused, type RefusalCause } from '../effective-scopes.ts'
import type { CertificateLookup } from './certificate-lookup.ts'
import type { Presented, PresentedCertificate } from './presented-certificate.ts'

/**
 * Resolves a client certificate to a caller. It owns the match of a certificate with its record. The listener
 * (`mutual-tls/`) owns the handshake, which proves the private key and the chain. Headers do not matter: a bearer token
 * on this host is ignored (AUTH-02).
 *
 * undefined whatever the cause, so that callers cannot tell the causes apart (AUTH-20); `refused` gets the cause, for the
 * log.
 * @throws Outage when the primary database cannot answer, which is never a 401
 */
export type CertificateAuthenticator = (
  request: IncomingMessage,
  now: Date,
  refused?: NoteRefused,
) => Promise<Caller | undefined>

export function certificateAuthenticator(parts: {
  environment: Environment
  presented: Presented
  find: CertificateLookup
}): CertificateAuthenticator {
  const { environment, presented, find } = parts

  return async (request, now, refused) => {
    const certificate = presented(request)
    const caller = typeof certificate === 'string' ? certificate : await resolve(certificate, now)
    if (typeof caller !== 'string') return caller
    refused?.(caller, typeof certificate === 'string' ? {} : { certificate: certificate.sha256.toString('hex') })
    return undefined
  }

  async function resolve(certificate: PresentedCertificate, now: Date): Promise<Caller | RefusalCause> {
    const record = await find(certificate)
    if (!record) return 'credential_unknown'
    // The holder of a self-signed certificate can sign others with the same subject and serial number: only the whole
    // certificate tells them apart.
    if (!record.sha256.equals(certificate.sha256)) return 'certificate_forged'
    if (now < record.startsOn || now >= record.expiresOn) return 'certificate_not_valid_now'
    const { partner } = record
    if (partner.machineMethod !== 'MTLS') return 'wrong_method'
    // All capabilities: a certificate does not narrow them (SCOPE-16).
    const scopes = effectiveScopes(partner)
    if (typeof scopes === 'string') return scopes
    return {
      partnerId: partner.partnerId,
      partnerName: partner.partnerName,
      environment,
      authMethod: 'MTLS',
      tier: partner.tier,
      siteIds: partner.siteIds,
      scopes,
      clientId: null,
      tokenExpiresOn: null,
      certificate: {
        subjectDn: record.subjectDn,
        serialNumber: record.serialNumber,
        sha256: record.sha256.toString('hex'),
        expiresOn: record.expiresOn,
      },
      user: null,
    }
  }
}
