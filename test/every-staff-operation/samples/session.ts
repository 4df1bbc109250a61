import { staffWith } from '../../world/staff.ts'
import type { Samples } from '../samples.ts'

export const sessionSamples: Samples = {
  signIn: ({ service }) => ({ body: service.manifest.staff }),
  readSession: () => ({}),
  signOut: async ({ service }) => ({ as: await staffWith(service, ['ADMIN']) }),
  changeOwnPassword: async ({ service }) => {
    const somebody = await staffWith(service, ['ADMIN'])
    return { as: somebody, body: { currentPassword: somebody.password, newPassword: 'another long password' } }
  },
}
