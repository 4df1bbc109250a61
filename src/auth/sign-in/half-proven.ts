import type { ProvenPerson } from '../../partners/person-proof.ts'

/**
 * What a step keeps of a person who is proven by password but not yet signed in. `secret` is that of an authenticator app
 * being set up, in base64url: it is made for this step and shown once.
 */
export type HalfProven = {
  proven: { person: ProvenPerson } & ({ next: 'ask' | 'shown' } | { next: 'enrol'; secret: string })
}
