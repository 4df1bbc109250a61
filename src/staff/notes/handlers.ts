import { withdrawNote, writeNote } from '../../platform/order-desk/notes.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder, orderVerb } from '../orders/change-order.ts'
import type { notes } from './contract.ts'

export const noteHandlers: StaffHandlers<typeof notes> = {
  writeNote: orderVerb(writeNote, ({ text, audience, lineNumber = null }) => ({ text, audience, lineNumber })),
  withdrawNote: (call) => {
    const { orderNumber, noteId } = call.path
    return changedOrder(call, (change) =>
      call.environment.database.change((tx) => withdrawNote(tx, change, orderNumber, noteId)),
    )
  },
}
