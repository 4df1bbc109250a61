import { inWords } from './words.ts'

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'idle'

/** How each word of the service looks. A word that is not here is told as it is, quietly. */
const tones: Readonly<Record<string, Tone>> = {
  PENDING_APPROVAL: 'warn',
  ON_HOLD: 'warn',
  IN_PROCESS: 'info',
  IN_PRODUCTION: 'info',
  PARTIALLY_SHIPPED: 'info',
  SHIPPED: 'good',
  COMPLETED: 'good',
  PENDING_REVIEW: 'warn',
  APPROVED: 'good',
  DECLINED: 'bad',
  DELIVERED: 'good',
  FAILED: 'bad',
  ACTIVE: 'good',
  EXPIRED: 'bad',
  REVOKED: 'idle',
  DISABLED: 'idle',
}

/** A status: a word with a dot, so that nothing is told by colour alone. */
export function Status({ value, tone, label }: { value: string | null | undefined; tone?: Tone; label?: string }) {
  if (value === null || value === undefined) return <span>–</span>
  return (
    <span className="status" data-tone={tone ?? tones[value] ?? 'idle'}>
      {label ?? inWords(value)}
    </span>
  )
}
