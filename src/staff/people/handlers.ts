import * as peopleOf from '../../partners/people.ts'
import { listPeople, readPerson, type PersonRecord } from '../../partners/people-records.ts'
import { readPartner } from '../../partners/partner-records.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import type { people } from './contract.ts'

export const peopleHandlers: StaffHandlers<typeof people> = {
  listPeople: async ({ world, path, query, after, page, refuse }) => {
    const { reads } = world.database
    if (!(await readPartner(reads, path.partnerId))) throw refuse('partner_not_found')
    const place = { after: String(after?.[0] ?? ''), limit: query.limit + 1 }
    const { rows, nextCursor } = page(await listPeople(reads, path.partnerId, place), ({ username }) => [username])
    return { status: 200, body: { people: rows, nextCursor } }
  },
  invitePerson: async ({ world, path, body, change, refuse }) => {
    const invited = await world.database.transaction((tx) =>
      peopleOf.invitePerson(tx, change, world.key('link'), path.partnerId, body),
    )
    if (invited.outcome === 'username_not_usable') throw refuse('person_username_not_usable')
    if (invited.outcome !== 'invited') throw refuse(invited.outcome)
    return { status: 201, body: invitation(world, invited) }
  },
  readPerson: async ({ world, path, refuse }) => {
    const person = await readPerson(world.database.reads, path.personId)
    if (!person) throw refuse('person_not_found')
    return { status: 200, body: person }
  },
  inviteAgain: async ({ world, path, change, refuse }) => {
    const invited = await world.database.transaction((tx) =>
      peopleOf.inviteAgain(tx, change, world.key('link'), path.personId),
    )
    if (invited.outcome !== 'invited') throw refuse(invited.outcome)
    return { status: 201, body: invitation(world, invited) }
  },
  disablePerson: async ({ world, path, change, refuse }) => {
    const disabled = await world.database.transaction((tx) => peopleOf.disablePerson(tx, change, path.personId))
    if (disabled.outcome !== 'disabled') throw refuse(disabled.outcome)
    return { status: 200, body: await changed(world, path.personId) }
  },
  enablePerson: async ({ world, path, change, refuse }) => {
    const enabled = await world.database.transaction((tx) => peopleOf.enablePerson(tx, change, path.personId))
    if (enabled.outcome !== 'enabled') throw refuse(enabled.outcome)
    return { status: 200, body: await changed(world, path.personId) }
  },
  resetSecondFactor: async ({ world, path, change, refuse }) => {
    const reset = await world.database.transaction((tx) => peopleOf.resetSecondFactor(tx, change, path.personId))
    if (reset.outcome !== 'reset') throw refuse(reset.outcome)
    return { status: 200, body: await changed(world, path.personId) }
  },
  setPartnerSecondFactor: async ({ world, path, body, change, refuse }) => {
    const set = await world.database.transaction((tx) =>
      peopleOf.setPartnerSecondFactor(tx, change, path.partnerId, body.required),
    )
    if (set.outcome !== 'set') throw refuse(set.outcome)
    return { status: 200, body }
  },
}

function invitation(world: StaffWorld, { personId, token, expiresOn }: peopleOf.Invited) {
  return { personId, invitationUrl: world.invitationUrl(token), expiresOn: expiresOn.toISOString() }
}

/** The person as they stand after a change. People are never deleted. */
async function changed({ database }: StaffWorld, personId: string): Promise<PersonRecord> {
  return (await readPerson(database.reads, personId))!
}
