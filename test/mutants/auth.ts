import type { Mutant } from './mutant.ts'

const certificate = 'src/auth/client-certificate/authenticate.test.ts'

export const auth: readonly Mutant[] = [
  {
    says: 'a token lives one second too long',
    in: 'src/auth/bearer/access-token.ts',
    from: 'if (now.getTime() >= expiresSecond * 1000) return undefined',
    to: 'if (now.getTime() > expiresSecond * 1000) return undefined',
    caughtBy: 'src/auth/bearer/access-token.test.ts',
  },
  {
    says: 'a token of the sandbox opens production',
    in: 'src/auth/bearer/access-token.ts',
    from: 'if (environment !== issuer.environment || audience !== issuer.audience) return undefined',
    to: 'if (audience !== issuer.audience) return undefined',
    caughtBy: 'src/auth/bearer/access-token.test.ts',
  },
  {
    says: 'a partner of certificates is let in by a token',
    in: 'src/auth/bearer/authenticate.ts',
    from: "if (partner.machineMethod !== 'BEARER') return 'wrong_method'\n",
    to: '',
    caughtBy: 'src/auth/bearer/authenticate.test.ts',
  },
  {
    says: 'a token keeps a scope that its partner lost',
    in: 'src/auth/effective-scopes.ts',
    from: 'partner.capabilities.filter((scope) => tokenScopes.includes(scope))',
    to: 'tokenScopes',
    caughtBy: 'src/auth/bearer/authenticate.test.ts',
  },
  {
    says: 'a disabled partner is let in',
    in: 'src/auth/effective-scopes.ts',
    from: "if (partner.disabled) return 'partner_disabled'\n",
    to: '',
    caughtBy: 'src/auth/bearer/authenticate.test.ts',
  },
  {
    says: 'a partner without sites is let in',
    in: 'src/auth/effective-scopes.ts',
    from: "if (partner.siteIds.length === 0) return 'no_granted_sites'\n",
    to: '',
    caughtBy: 'src/auth/bearer/authenticate.test.ts',
  },
  {
    says: 'a forged certificate with the same subject and serial number is accepted',
    in: 'src/auth/client-certificate/authenticate.ts',
    from: "if (!record.sha256.equals(certificate.sha256)) return 'certificate_forged'\n",
    to: '',
    caughtBy: certificate,
  },
  {
    says: 'a certificate is valid at the instant of its end',
    in: 'src/auth/client-certificate/authenticate.ts',
    from: 'now >= record.expiresOn',
    to: 'now > record.expiresOn',
    caughtBy: certificate,
  },
  {
    says: 'a revoked certificate is found',
    in: 'src/auth/client-certificate/certificate-lookup.ts',
    from: 'where subject = asked.subject and serial = asked.serial and revoked_on is null',
    to: 'where subject = asked.subject and serial = asked.serial',
    caughtBy: certificate,
  },
  {
    says: 'anyone may send the header of the proxy',
    in: 'src/auth/client-certificate/presented-certificate.ts',
    from: "if (!isProxy(socket.remoteAddress) || typeof text !== 'string'",
    to: "if (typeof text !== 'string'",
    caughtBy: 'src/mutual-tls/mutual-tls.test.ts',
  },
  {
    says: 'a third certificate is registered beside two live ones',
    in: 'src/partners/certificates.ts',
    from: 'if (live.length >= certificatesMax)',
    to: 'if (live.length > certificatesMax)',
    caughtBy: 'src/partners/certificates.test.ts',
  },
]
