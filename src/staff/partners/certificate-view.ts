import type { RegisteredCertificate } from '../../partners/certificates.ts'

export function certificateView(certificate: RegisteredCertificate) {
  const { registeredOn, startsOn, expiresOn, ...rest } = certificate
  return {
    ...rest,
    registeredOn: registeredOn.toISOString(),
    startsOn: startsOn.toISOString(),
    expiresOn: expiresOn.toISOString(),
  }
}
