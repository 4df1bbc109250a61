import { unique } from '../plain-names.ts'
import type { Samples, SampleWorld } from '../samples.ts'

const at = '/staff/v1/production'

/** A customer who has not ordered yet. */
async function customer({ service, admin }: SampleWorld): Promise<string> {
  const name = unique('dreyes')
  const { body } = await admin.post(`${at}/users`, {
    siteId: service.manifest.sites.main,
    username: name,
    email: `${name}@whitfield.test`,
    firstName: 'Dana',
    lastName: 'Reyes',
  })
  return String(body.userId)
}

async function erasure(world: SampleWorld) {
  const id = await customer(world)
  return { kind: 'CUSTOMER', id, reason: 'REQUEST', confirm: id }
}

export const privacySamples: Samples = {
  exportPerson: async (world) => ({ body: { kind: 'CUSTOMER', id: await customer(world) } }),
  erasePerson: async (world) => ({ body: await erasure(world) }),
  listErasures: async (world) => {
    await world.admin.post(`${at}/erasures`, await erasure(world))
    return {}
  },
}
