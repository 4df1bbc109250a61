import * as peopleOf from '../../partners/people.ts'
import { listPeople, readPerson, type PersonRecord } from '../../partners/people-records.ts'
import { readPartner } from '../../partners/partner-records.ts'
import { setPartnerSecondFactor } from '../../partners/partners.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { people } from './contract.ts'

export const peopleHandlers: StaffHandlers<typeof people> = {
  listPeople: async ({ environment, path, query, after, page, refuse }) => {
    const { reads } = environment.database
    if (!(await readPartner(reads, path.partnerId))) throw refuse('partner_not_found')
    const found = await listPeople(environment.database.longReads, path.partnerId, {
      after: String(after?.[0] ?? ''),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ username }) => [username])
    return { status: 200, body: { people: rows, nextCursor } }
  },
  invitePerson: async (call) => {
    const { environment, path, body } = call
    const invited = await makeChange(call, (tx, change) =>
      peopleOf.invitePerson(tx, change, environment.keys('link'), path.partnerId, body),
    )
    return { status: 201, body: invitation(environment, invited) }
  },
  readPerson: async ({ environment, path, refuse }) => {
    const person = await readPerson(environment.database.reads, path.personId)
    if (!person) throw refuse('person_not_found')
    return { status: 200, body: person }
  },
  inviteAgain: async (call) => {
    const { environment, path } = call
    const invited = await makeChange(call, (tx, change) =>
      peopleOf.inviteAgain(tx, change, environment.keys('link'), path.personId),
    )
    return { status: 201, body: invitation(environment, invited) }
  },
  disablePerson: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => peopleOf.setPersonEnabled(tx, change, path.personId, false))
    return { status: 200, body: await changed(environment, path.personId) }
  },
  enablePerson: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => peopleOf.setPersonEnabled(tx, change, path.personId, true))
    return { status: 200, body: await changed(environment, path.personId) }
  },
  resetSecondFactor: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => peopleOf.resetSecondFactor(tx, change, path.personId))
    return { status: 200, body: await changed(environment, path.personId) }
  },
  setPartnerSecondFactor: async (call) => {
    const { path, body } = call
    await makeChange(call, (tx, change) => setPartnerSecondFactor(tx, change, path.partnerId, body.required))
    return { status: 200, body }
  },
}

function invitation(environment: StaffEnvironment, { personId, token, expiresOn }: peopleOf.Invitation) {
  return { personId, invitationUrl: environment.invitationUrl(token), expiresOn: expiresOn.toISOString() }
}

/** The person after a change. People are never deleted. */
async function changed({ database }: StaffEnvironment, personId: string): Promise<PersonRecord> {
  return (await readPerson(database.reads, personId))!
}
