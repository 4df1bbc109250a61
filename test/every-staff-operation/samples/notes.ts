import type { Samples } from '../samples.ts'
import { placedOrder } from './placed-order.ts'

const note = {
  audience: 'PARTNER',
  lineNumber: 1,
  text: 'The 16 pt stock is back on Thursday; the cards leave on Friday with the first van.',
}

export const noteSamples: Samples = {
  writeNote: async (world) => ({ path: { orderNumber: (await placedOrder(world)).orderNumber }, body: note }),
  withdrawNote: async (world) => {
    const { orderNumber, at } = await placedOrder(world)
    const { notes } = (await world.admin.post(`${at}/notes`, note)).body
    return { path: { orderNumber, noteId: notes[0].noteId } }
  },
}
