import { clearBouncedAddress, listBouncedAddresses, noteBouncedAddress } from '../../platform/mail/bounced-addresses.ts'
import { listMails, readMail, sendMailAgain } from '../../platform/mail/mail-log.ts'
import { readAlertEmails, setAlertEmails } from '../../partners/alert-emails.ts'
import { readSiteMails, setSiteMails } from '../../platform/sites/mail-settings.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { mails } from './contract.ts'

export const mailHandlers: StaffHandlers<typeof mails> = {
  listMails: async ({ environment, query, after, page }) => {
    const { limit, cursor: _, ...filter } = query
    const found = await listMails(environment.database.longReads, filter, {
      after: after && { createdOn: String(after[0]), mailId: String(after[1]) },
      limit: limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ createdOn, mailId }) => [createdOn, mailId])
    return { status: 200, body: { mails: rows, nextCursor } }
  },
  readMail: async ({ environment, path, refuse }) => {
    const mail = await readMail(environment.database.reads, path.mailId)
    if (!mail) throw refuse('mail_not_found')
    return { status: 200, body: mail }
  },
  sendMailAgain: async (call) => {
    const { environment, path, refuse } = call
    await makeChange(call, (tx, change) => sendMailAgain(tx, change, path.mailId))
    const mail = await readMail(environment.database.reads, path.mailId)
    if (!mail) throw refuse('mail_not_found')
    return { status: 200, body: mail }
  },
  listBouncedAddresses: async ({ environment, query, after, page }) => {
    const found = await listBouncedAddresses(environment.database.longReads, {
      email: query.email,
      after: after && Number(after[0]),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ bouncedAddressId }) => [bouncedAddressId])
    return { status: 200, body: { addresses: rows, nextCursor } }
  },
  noteBouncedAddress: async (call) => {
    const noted = await makeChange(call, (tx, change) => noteBouncedAddress(tx, change, call.body))
    return { status: 201, body: noted }
  },
  clearBouncedAddress: async (call) => {
    const cleared = await makeChange(call, (tx, change) => clearBouncedAddress(tx, change, call.path.bouncedAddressId))
    return { status: 200, body: cleared }
  },
  readAlertEmails: async ({ environment, path, refuse }) => {
    const emails = await readAlertEmails(environment.database.reads, path.partnerId)
    if (!emails) throw refuse('partner_not_found')
    return { status: 200, body: { emails } }
  },
  setAlertEmails: async (call) => {
    const { path, body } = call
    const set = await makeChange(call, (tx, change) => setAlertEmails(tx, change, path.partnerId, body.emails))
    return { status: 200, body: set }
  },
  readSiteMails: async ({ environment, path, refuse }) => {
    const body = await readSiteMails(environment.database.reads, path.siteId)
    if (!body) throw refuse('site_not_found')
    return { status: 200, body }
  },
  setSiteMails: async (call) => {
    const { path, body } = call
    await makeChange(call, (tx, change) => setSiteMails(tx, change, path.siteId, body))
    return { status: 200, body }
  },
}
