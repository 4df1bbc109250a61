import classes from './status.module.css'

type Tone = 'good' | 'info' | 'warn' | 'bad' | 'idle'

/** How each word of the service looks. A word that is not here is told as it is, quietly. */
const tones: Readonly<Record<string, Tone>> = {
  PENDING_APPROVAL: 'warn',
  ON_HOLD: 'warn',
  IN_PROCESS: 'info',
  IN_PRODUCTION: 'info',
  PARTIALLY_SHIPPED: 'info',
  SHIPPED: 'good',
  COMPLETED: 'good',
  CANCELLED: 'idle',
  NOT_CREATED: 'idle',
  PENDING_REVIEW: 'warn',
  APPROVED: 'good',
  DECLINED: 'bad',
  NOT_STARTED: 'idle',
  PREPRESS: 'info',
  QUEUED: 'info',
  PRINTING: 'info',
  FINISHING: 'info',
  PACKING: 'info',
  COMPLETE: 'good',
  OPEN: 'info',
  DELIVERED: 'good',
  FAILED: 'bad',
  SKIPPED: 'idle',
  queued: 'idle',
  processing: 'info',
  completed: 'good',
  failed: 'bad',
  done: 'good',
  not_yet: 'idle',
  inspecting: 'info',
  passed: 'good',
  passed_with_warnings: 'warn',
  needs_changes: 'bad',
  unreadable: 'bad',
  blocked: 'bad',
  ready: 'good',
  RUSH: 'bad',
  HIGH: 'warn',
  NORMAL: 'idle',
  LOW: 'idle',
  SENT: 'good',
  KEPT: 'idle',
  ANNOUNCED: 'info',
  RECEIVED: 'info',
  CLOSED: 'idle',
  MISSING: 'bad',
  WARNING: 'warn',
  ACTIVE: 'good',
  INACTIVE: 'idle',
  DISABLED: 'bad',
  FAILING: 'bad',
  ARCHIVED: 'idle',
  error: 'bad',
  sign_off: 'warn',
  warning: 'warn',
  info: 'info',
}

const abbreviations: Readonly<Record<string, string>> = {
  pdfx: 'PDF/X',
  xfa: 'XFA',
  rgb: 'RGB',
  cmyk: 'CMYK',
  exif: 'EXIF',
}

/** `PENDING_REVIEW` → "Pending review", `not_pdfx` → "Not PDF/X". */
export function inWords(word: string): string {
  const words = word
    .toLowerCase()
    .split('_')
    .map((each) => abbreviations[each] ?? each)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether it is a word of the service for a status, such as `IN_PRODUCTION`. */
export const isStatus = (word: string): boolean => Object.hasOwn(tones, word)

/** A status: a word with a dot, the same everywhere. */
export function Status({ value, tone, label }: { value: string | null | undefined; tone?: Tone; label?: string }) {
  if (value === null || value === undefined) return <span className={classes.none}>–</span>
  return (
    <span className={classes.status} data-tone={tone ?? tones[value] ?? 'idle'}>
      {label ?? inWords(value)}
    </span>
  )
}
