import type { CertificateFault } from '../../partners/partner-certificate.ts'

const sentences: Readonly<Record<CertificateFault['fault'], string>> = {
  private_key_given:
    'A private key was sent. It must not be used any more: ask the partner for a new key pair, and for certificates only.',
  not_a_certificate:
    'This is not a PEM certificate, or the text has more than certificates. Send only the PEM text of the chain.',
  chain_too_long: 'The chain must have at most four certificates.',
  chain_broken: 'Each certificate of the chain must be issued by the one after it.',
  chain_incomplete: 'The chain must end with a root.',
  key_not_allowed: 'The key must be RSA with 2048 bits or more, or ECDSA on P-256 or P-384.',
  signature_not_allowed: 'The signature must use SHA-256 or stronger.',
  not_for_clients: 'The extended key usage must include client authentication.',
  identity_not_usable: 'The subject or the serial number is missing or too long.',
  certificate_expired: 'The certificate has expired.',
}

/** What is wrong with a certificate that was sent, and which one of its chain it is. */
export function certificateFault(found: CertificateFault): string {
  const which = 'position' in found ? ` It is number ${found.position} of the chain.` : ''
  return sentences[found.fault] + which
}
