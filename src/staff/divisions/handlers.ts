import type { Static } from 'typebox'
import { setDivisionAddress, type DivisionAddress } from '../../platform/customers/division-address.ts'
import { createDivision, updateDivision } from '../../platform/customers/divisions.ts'
import { readSite } from '../../platform/sites/sites.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { StaffHandlers } from '../operation.ts'
import type { divisions } from './contract.ts'
import { findDivisions, readStaffDivision } from './read-divisions.ts'

export const divisionHandlers: StaffHandlers<typeof divisions> = {
  listDivisions: async ({ environment, query, after, page }) => {
    const range = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await findDivisions(environment.database.longReads, query, range)
    const { rows, nextCursor } = page(found, ({ divisionId }) => [divisionId])
    return { status: 200, body: { divisions: rows, nextCursor } }
  },
  createDivision: async ({ environment, body, change, refuse }) => {
    if (!(await readSite(environment.database.reads, body.siteId))) throw refuse('site_not_found')
    const { parentId = null, address } = body
    const division = { ...body, parentId, address: address && wholeAddress(address) }
    const created = await environment.database.change((tx) => createDivision(tx, change, division))
    if ('refused' in created) throw refuse(created.refused, 'detail' in created ? created.detail : undefined)
    return { status: 201, body: await changed(environment, created.done.divisionId) }
  },
  readDivision: async ({ environment, path, refuse }) => {
    const division = await readStaffDivision(environment.database.reads, path.divisionId)
    if (!division) throw refuse('division_not_found')
    return { status: 200, body: division }
  },
  updateDivision: async ({ environment, path, body, change, refuse }) => {
    const division = await readStaffDivision(environment.database.reads, path.divisionId)
    if (!division) throw refuse('division_not_found')
    const updated = await environment.database.change((tx) =>
      updateDivision(tx, change, [division.siteId], path.divisionId, body),
    )
    if ('refused' in updated) {
      const code = updated.refused === 'division_vanished' ? 'division_not_found' : updated.refused
      throw refuse(code, 'detail' in updated ? updated.detail : undefined)
    }
    return { status: 200, body: await changed(environment, path.divisionId) }
  },
  setDivisionAddress: async ({ environment, path, body, change, refuse }) => {
    const set = await environment.database.change((tx) =>
      setDivisionAddress(tx, change, path.divisionId, wholeAddress(body)),
    )
    if ('refused' in set) throw refuse(set.refused, 'detail' in set ? set.detail : undefined)
    return { status: 200, body: await changed(environment, path.divisionId) }
  },
}

type Sent = Static<(typeof divisions)['operations']['setDivisionAddress']['body']['schema']>

/** Fields left out are null. */
function wholeAddress(sent: Sent): DivisionAddress {
  const { company = null, firstName = null, lastName = null, street2 = null, state = null } = sent
  return { ...sent, company, firstName, lastName, street2, state }
}

/** The division after a change. Divisions are never deleted. */
async function changed({ database }: StaffEnvironment, divisionId: number) {
  return (await readStaffDivision(database.reads, divisionId))!
}
