import type { CertificateFault } from '../../partners/partner-certificate.ts'

const sentences: Readonly<Record<CertificateFault['fault'], string>> = {
  private_key_given:
    'A private key was sent. It must not be used any more: ask the partner for a new key pair, and for certificates only.',
  not_a_certificate: 'This is not a PEM certificate, or the text has more than certificates.',
  chain_too_long: 'The chain has too many certificates.',
  chain_broken: 'A certificate was not issued by the one after it.',
  chain_incomplete: 'The chain must end with a root.',
  key_not_allowed: 'The key is of a kind or size that is not allowed.',
  signature_not_allowed: 'The signature is of a kind that is not allowed.',
  not_for_clients: 'The extended key usage does not include client authentication.',
  identity_not_usable: 'The subject or the serial number is missing or too long.',
  certificate_expired: 'The certificate has expired.',
}

/** What is wrong with a certificate that was sent, and which one of its chain it is. */
export function certificateFault(found: CertificateFault): string {
  const which = 'position' in found ? ` It is number ${found.position} of the chain.` : ''
  return sentences[found.fault] + which
}
