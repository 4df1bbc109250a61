import * as clientsOf from '../../partners/sign-in-clients.ts'
import type { StaffHandlers } from '../operation.ts'
import type { signInClients } from './contract.ts'

export const signInClientHandlers: StaffHandlers<typeof signInClients> = {
  listSignInClients: async ({ world }) => {
    const clients = await clientsOf.listSignInClients(world.database.reads)
    return { status: 200, body: { clients: clients.map(clientView) } }
  },
  registerSignInClient: async ({ world, body, change, now, refuse }) => {
    const client = { isNative: false, ...body }
    const registered = await world.database.transaction((tx) => clientsOf.registerSignInClient(tx, change, client))
    if (registered.outcome === 'name_not_usable') throw refuse('client_name_not_usable')
    if (registered.outcome !== 'registered') throw refuse(registered.outcome)
    return { status: 201, body: clientView({ ...client, name: client.name.trim(), registeredOn: now.toISOString() }) }
  },
  removeSignInClient: async ({ world, path, change, refuse }) => {
    const removed = await world.database.transaction((tx) =>
      clientsOf.removeSignInClient(tx, change, path.signInClientId),
    )
    if (removed.outcome !== 'removed') throw refuse('sign_in_client_not_found')
    return { status: 200, body: { removed: true } }
  },
}

function clientView(client: clientsOf.SignInClient & { registeredOn: string }) {
  return { ...client, redirectUris: [...client.redirectUris] }
}
