import { no, to, type StateTable } from '../order-changes/state-table.ts'

export const returnStatuses = ['ANNOUNCED', 'RECEIVED', 'CLOSED', 'CANCELLED'] as const

export type ReturnStatus = (typeof returnStatuses)[number]

/** Goods are received once; what comes later is announced as another return. */
export type ReturnEvent = 'receive' | 'close' | 'cancel'

const received = no('return_received')
const closed = no('return_closed')
const cancelled = no('return_cancelled')

export const returnSteps = {
  ANNOUNCED: { receive: to('RECEIVED'), close: no('return_not_received'), cancel: to('CANCELLED') },
  RECEIVED: { receive: received, close: to('CLOSED'), cancel: received },
  CLOSED: { receive: closed, close: closed, cancel: closed },
  CANCELLED: { receive: cancelled, close: cancelled, cancel: cancelled },
} satisfies StateTable<ReturnStatus, ReturnEvent>
