import { cyan, dim, green, red, yellow, type Piece } from './pieces.ts'

/** How values are shown to people. */

/** An instant by the minute, in UTC. */
export function when(instant: string | null | undefined): Piece {
  return instant ? `${instant.slice(0, 10)} ${instant.slice(11, 16)}Z` : dim('–')
}

export function time(instant: string): string {
  return instant.slice(11, 19)
}

export function money(amount: string | number | null, currency: string): Piece {
  return amount === null ? dim('–') : `${amount} ${currency}`
}

export function orDash(value: string | number | null | undefined): Piece {
  return value === null || value === undefined || value === '' ? dim('–') : String(value)
}

export function yesNo(value: boolean): Piece {
  return value ? 'yes' : dim('no')
}

const good = new Set(['SHIPPED', 'COMPLETED', 'APPROVED', 'DELIVERED', 'ACTIVE', 'completed', 'passed', 'COMPLETE'])
const bad = new Set(['CANCELLED', 'DECLINED', 'FAILED', 'EXPIRED', 'failed', 'needs_changes', 'unreadable'])
const waiting = new Set([
  'PENDING_APPROVAL',
  'PENDING_REVIEW',
  'ON_HOLD',
  'EXPIRING',
  'SKIPPED',
  'passed_with_warnings',
])

/** A status of the contract, in the colour of what it means. */
export function status(value: string | null): Piece {
  if (value === null) return dim('–')
  if (good.has(value)) return green(value)
  if (bad.has(value)) return red(value)
  return waiting.has(value) ? yellow(value) : cyan(value)
}

/** The status of an HTTP answer. */
export function httpStatus(value: number | null): Piece {
  if (value === null) return dim('–')
  if (value >= 500) return red(value)
  return value >= 400 ? yellow(value) : green(value)
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  if (count < 1024 ** 2) return `${(count / 1024).toFixed(1)} KB`
  return `${(count / 1024 ** 2).toFixed(1)} MB`
}
