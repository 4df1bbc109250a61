import { randomUUID } from 'node:crypto'
import { unique } from '../plain-names.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

const person = () => ({ username: unique('noor.haddad'), password: randomUUID(), roles: ['OPERATIONS'] })

/** A new account's path. */
async function account({ admin }: SampleWorld): Promise<Sample & { path: { staffId: string } }> {
  return { path: { staffId: (await admin.post('/staff/v1/accounts', person())).body.staffId } }
}

export const accountSamples: Samples = {
  listStaffAccounts: () => ({}),
  createStaffAccount: () => ({ body: person() }),
  setStaffRoles: async (world) => ({ ...(await account(world)), body: { roles: ['OPERATIONS', 'FINANCE'] } }),
  setStaffPassword: async (world) => ({ ...(await account(world)), body: { password: randomUUID() } }),
  disableStaffAccount: account,
  enableStaffAccount: async (world) => {
    const sample = await account(world)
    await world.admin.post(`/staff/v1/accounts/${sample.path.staffId}/disable`)
    return sample
  },
}
