import type { PdfObject } from '../../syntax/objects.ts'
import type { Run } from '../run.ts'

/** What an operator does, given the operands before it and those of them that are numbers (others count as 0). */
export type Operator = (run: Run, operands: readonly PdfObject[], numbers: readonly number[]) => void

export type Operators = Readonly<Record<string, Operator>>
