import * as peopleOf from '../../partners/people.ts'
import { listPeople, readPerson, type PersonRecord } from '../../partners/people-records.ts'
import { readPartner } from '../../partners/partner-records.ts'
import { setPartnerSecondFactor } from '../../partners/partners.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import type { people } from './contract.ts'

export const peopleHandlers: StaffHandlers<typeof people> = {
  listPeople: async ({ world, path, query, after, page, refuse }) => {
    const { reads } = world.database
    if (!(await readPartner(reads, path.partnerId))) throw refuse('partner_not_found')
    const found = await listPeople(reads, path.partnerId, { after: String(after?.[0] ?? ''), limit: query.limit + 1 })
    const { rows, nextCursor } = page(found, ({ username }) => [username])
    return { status: 200, body: { people: rows, nextCursor } }
  },
  invitePerson: async (call) => {
    const { world, path, body } = call
    const invited = await makeChange(call, (tx, change) =>
      peopleOf.invitePerson(tx, change, world.key('link'), path.partnerId, body),
    )
    return { status: 201, body: invitation(world, invited) }
  },
  readPerson: async ({ world, path, refuse }) => {
    const person = await readPerson(world.database.reads, path.personId)
    if (!person) throw refuse('person_not_found')
    return { status: 200, body: person }
  },
  inviteAgain: async (call) => {
    const { world, path } = call
    const invited = await makeChange(call, (tx, change) =>
      peopleOf.inviteAgain(tx, change, world.key('link'), path.personId),
    )
    return { status: 201, body: invitation(world, invited) }
  },
  disablePerson: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => peopleOf.setPersonEnabled(tx, change, path.personId, false))
    return { status: 200, body: await changed(world, path.personId) }
  },
  enablePerson: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => peopleOf.setPersonEnabled(tx, change, path.personId, true))
    return { status: 200, body: await changed(world, path.personId) }
  },
  resetSecondFactor: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => peopleOf.resetSecondFactor(tx, change, path.personId))
    return { status: 200, body: await changed(world, path.personId) }
  },
  setPartnerSecondFactor: async (call) => {
    const { path, body } = call
    await makeChange(call, (tx, change) => setPartnerSecondFactor(tx, change, path.partnerId, body.required))
    return { status: 200, body }
  },
}

function invitation(world: StaffWorld, { personId, token, expiresOn }: peopleOf.Invitation) {
  return { personId, invitationUrl: world.invitationUrl(token), expiresOn: expiresOn.toISOString() }
}

/** The person after a change. People are never deleted. */
async function changed({ database }: StaffWorld, personId: string): Promise<PersonRecord> {
  return (await readPerson(database.reads, personId))!
}
