import type { Samples } from '../samples.ts'

export const requestSamples: Samples = {
  readRequest: async ({ admin }) => {
    const made = await admin.post('/staff/v1/production/partners', { name: 'Quoted', machineMethod: 'BEARER' })
    return { path: { requestId: made.headers.get('request-id')! } }
  },
}
