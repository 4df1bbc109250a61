import type { AnswerOf } from '../api/api.ts'
import { inWords } from '../kit/status.tsx'

/** The stations of the works, and which moves between them there are. */

export type Line = AnswerOf<'listLines'>['lines'][number]
export type Station = 'PREPRESS' | 'QUEUED' | 'PRINTING' | 'FINISHING' | 'PACKING' | 'COMPLETE'
/** A column of the board, as `productionStatus` of the list. */
export type ColumnId = 'NOT_STARTED' | Station | 'ON_HOLD'

export const stations: readonly Station[] = ['PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE']
export const columnIds: readonly ColumnId[] = ['NOT_STARTED', ...stations, 'ON_HOLD']

export const columnName = (id: ColumnId): string => (id === 'ON_HOLD' ? 'Held' : inWords(id))

/** `1010033-2`, as job tickets print it. */
export const nameOf = ({ orderNumber, lineNumber }: Pick<Line, 'orderNumber' | 'lineNumber'>): string =>
  `${orderNumber}-${lineNumber}`

export function isStation(id: string | null | undefined): id is Station {
  return (stations as readonly (string | null | undefined)[]).includes(id)
}

/** The station after that at which the line is; undefined = there is none, or the line does not move now. */
export function nextOf({ productionStatus }: Pick<Line, 'productionStatus'>): Station | undefined {
  if (productionStatus === null) return stations[0]
  return isStation(productionStatus) ? stations[stations.indexOf(productionStatus) + 1] : undefined
}

/** The first station to which all of the lines can go; undefined = there is none. */
export function nextOfAll(lines: readonly Line[]): Station | undefined {
  const next = lines.map(nextOf)
  if (next.length === 0 || next.includes(undefined)) return undefined
  return stations[Math.max(...next.map((each) => stations.indexOf(each!)))]
}

/** Whether the service knows a move of the line to the column. Work goes on, never back. */
export function mayMove(line: Line, to: ColumnId): boolean {
  if (to === 'ON_HOLD') return line.productionStatus !== 'ON_HOLD' && line.productionStatus !== 'COMPLETE'
  // A held line goes on where it was held.
  if (line.productionStatus === 'ON_HOLD') return line.station === to || (line.station === null && to === 'NOT_STARTED')
  const next = nextOf(line)
  return next !== undefined && isStation(to) && stations.indexOf(to) >= stations.indexOf(next)
}

/** What bulk verbs name a line by; another person's move since it was shown is then refused. */
export const asSeen = ({ orderNumber, lineNumber, productionStatus }: Line) => ({
  orderNumber,
  lineNumber,
  expects: productionStatus,
})
