import { clientId } from '../session/tokens.ts'

/** Whether the portal itself made the call, for who looks at it. */
export function isOfPortal({ credential }: { credential: string | null }): boolean {
  return credential === clientId
}
