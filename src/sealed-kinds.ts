import type { SealedKind } from './database/seal-anew.ts'
import { sealedClientSecrets, sealedRecoveryCodes, sealedSecondFactors } from './partners/sealed-credentials.ts'
import { sealedLinksOfMails } from './platform/mail/sealed-links.ts'
import { sealedPersonKeys } from './platform/paperwork/sealed-people.ts'
import { sealedSigningSecrets } from './webhooks/sealed-secrets.ts'

/**
 * What is kept sealed for longer than a key's other works live: `npm run -s keys` seals it anew. What people's sign-ins
 * keep sealed ends within hours, and the key of the demo data is sealed anew at every start.
 */
export const sealedKinds: readonly SealedKind[] = [
  sealedSigningSecrets,
  sealedClientSecrets,
  sealedSecondFactors,
  sealedRecoveryCodes,
  sealedLinksOfMails,
  sealedPersonKeys,
]
