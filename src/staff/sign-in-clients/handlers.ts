import * as clientsOf from '../../partners/sign-in-clients.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { signInClients } from './contract.ts'

export const signInClientHandlers: StaffHandlers<typeof signInClients> = {
  listSignInClients: async ({ environment }) => ({
    status: 200,
    body: { clients: await clientsOf.listSignInClients(environment.database.longReads) },
  }),
  registerSignInClient: async (call) => {
    const wish = { isNative: false, ...call.body }
    const registered = await makeChange(call, (tx, change) => clientsOf.registerSignInClient(tx, change, wish))
    return { status: 201, body: registered }
  },
  removeSignInClient: async (call) => {
    const { path } = call
    await makeChange(call, (tx, change) => clientsOf.removeSignInClient(tx, change, path.signInClientId))
    return { status: 200, body: { removed: true } }
  },
}
