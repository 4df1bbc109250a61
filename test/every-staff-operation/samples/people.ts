import { sql } from '../../../src/database/sql.ts'
import { unique } from '../plain-names.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

const at = '/staff/v1/production'

const newPerson = () => ({ username: unique('mika.olsen') })

async function person({ admin, service }: SampleWorld): Promise<Sample & { path: { personId: string } }> {
  const people = `${at}/partners/${service.manifest.partners.neighbour.partnerId}/people`
  return { path: { personId: (await admin.post(people, newPerson())).body.personId } }
}

export const peopleSamples: Samples = {
  listPeople: () => ({}),
  invitePerson: () => ({ body: newPerson() }),
  readPerson: person,
  inviteAgain: person,
  disablePerson: person,
  enablePerson: async (world) => {
    const sample = await person(world)
    await world.admin.post(`${at}/people/${sample.path.personId}/disable`)
    return sample
  },
  resetSecondFactor: async (world) => {
    const sample = await person(world)
    await world.service.production.database.statements.rows(sql`
      update partner_person set second_factor = ${Buffer.from('sealed')} where person_id = ${sample.path.personId}`)
    return sample
  },
  setPartnerSecondFactor: async ({ admin }) => {
    const created = await admin.post(`${at}/partners`, { name: 'Larkspur Print Co', machineMethod: 'BEARER' })
    return { path: { partnerId: created.body.partnerId }, body: { required: true } }
  },
}

const newClient = () => ({
  clientId: unique('larkspur-desk'),
  name: 'Larkspur Desk',
  redirectUris: ['https://app.example.com/callback'],
})

export const signInClientSamples: Samples = {
  listSignInClients: () => ({}),
  registerSignInClient: () => ({ body: newClient() }),
  removeSignInClient: async ({ admin }) => {
    const client = newClient()
    await admin.post(`${at}/sign-in-clients`, client)
    return { path: { signInClientId: client.clientId } }
  },
}
