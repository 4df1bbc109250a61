import { calendarDays, cutOffHourDefault } from '../../platform/shipping/business-days.ts'
import {
  archiveFulfilmentCenter,
  type CenterAddress,
  changeFulfilmentCenter,
  createFulfilmentCenter,
  type FulfilmentCenterRecord,
  deleteFulfilmentCenter,
  fulfilmentCenters,
  readFulfilmentCenter,
  replaceClosedDays,
  replaceWorkingDays,
} from '../../platform/shipping/fulfilment-centers.ts'
import {
  archiveService,
  changeService,
  createService,
  deleteService,
  offeredServices,
} from '../../platform/shipping/offered-services.ts'
import { rateTable, replaceRates } from '../../platform/shipping/rate-tables.ts'
import { replaceZones, type ZoneRow, zoneTable } from '../../platform/shipping/zone-tables.ts'
import { readSite } from '../../platform/sites/sites.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { shipping } from './contract.ts'
import { testAddress } from './test-address.ts'

const centerDefaults = { priceable: true, cutOffHour: cutOffHourDefault, cutOffHours: {}, workingWeekdays: null }

const calendarDaysMax = 400
const usualCalendarDays = 56

export const shippingHandlers: StaffHandlers<typeof shipping> = {
  listFulfilmentCenters: async ({ environment, query }) => {
    const all = await fulfilmentCenters(environment.database.reads)
    return { status: 200, body: { fulfilmentCenters: listed(all, query.archived) } }
  },
  deleteFulfilmentCenter: async (call) => {
    const { fulfilmentCenterId } = call.path
    await makeChange(call, (tx, change) => deleteFulfilmentCenter(tx, change, fulfilmentCenterId))
    return { status: 200, body: { fulfilmentCenterId } }
  },
  archiveFulfilmentCenter: async (call) => {
    const { fulfilmentCenterId } = call.path
    const archived = await makeChange(call, (tx, change) =>
      archiveFulfilmentCenter(tx, change, fulfilmentCenterId, true),
    )
    return { status: 200, body: archived }
  },
  restoreFulfilmentCenter: async (call) => {
    const { fulfilmentCenterId } = call.path
    const restored = await makeChange(call, (tx, change) =>
      archiveFulfilmentCenter(tx, change, fulfilmentCenterId, false),
    )
    return { status: 200, body: restored }
  },
  createFulfilmentCenter: async (call) => {
    const { zones, address = null, ...given } = call.body
    const center = { ...centerDefaults, ...given, address: addressOf(address) }
    const created = await makeChange(
      call,
      async (
        tx,
        change,
      ): Promise<
        | Done<FulfilmentCenterRecord>
        | Refused<'fulfilment_center_not_usable' | 'zones_not_usable' | 'fulfilment_center_not_found'>
      > => {
        const made = await createFulfilmentCenter(tx, change, center)
        if ('refused' in made || !zones) return made
        const replaced = await replaceZones(tx, change, made.done.fulfilmentCenterId, zones.map(zoneRow))
        return 'refused' in replaced ? replaced : made
      },
      zoneDetail,
    )
    return { status: 201, body: created }
  },
  changeFulfilmentCenter: async (call) => {
    const { path, body } = call
    const { address, ...rest } = body
    const wish = { ...rest, ...(address !== undefined && { address: addressOf(address) }) }
    const changed = await makeChange(call, (tx, change) =>
      changeFulfilmentCenter(tx, change, path.fulfilmentCenterId, wish),
    )
    return { status: 200, body: changed }
  },
  replaceClosedDays: async (call) => {
    const { path, body } = call
    const changed = await makeChange(call, (tx, change) =>
      replaceClosedDays(tx, change, path.fulfilmentCenterId, body.closedDays),
    )
    return { status: 200, body: changed }
  },
  replaceWorkingDays: async (call) => {
    const { path, body } = call
    const changed = await makeChange(call, (tx, change) =>
      replaceWorkingDays(tx, change, path.fulfilmentCenterId, body.workingDays),
    )
    return { status: 200, body: changed }
  },
  readWorkingCalendar: async ({ environment, path, query, now, refuse }) => {
    const center = await readFulfilmentCenter(environment.database.reads, path.fulfilmentCenterId)
    if (!center) throw refuse('fulfilment_center_not_found')
    const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
      .toZonedDateTimeISO(center.timeZone)
      .toPlainDate()
    const from = query.from === undefined ? today : Temporal.PlainDate.from(query.from)
    const to = query.to === undefined ? from.add({ days: usualCalendarDays }) : Temporal.PlainDate.from(query.to)
    const { days: count } = from.until(to, { largestUnit: 'days' })
    if (count < 0 || count > calendarDaysMax) throw refuse('calendar_too_long')
    const days = await calendarDays(center, from.toString(), to.toString())
    return { status: 200, body: { timeZone: center.timeZone, days } }
  },
  readShippingZones: async ({ environment, path, refuse }) => {
    const centers = await fulfilmentCenters(environment.database.reads)
    if (!centers.some((each) => each.fulfilmentCenterId === path.fulfilmentCenterId)) {
      throw refuse('fulfilment_center_not_found')
    }
    return { status: 200, body: { zones: await zoneTable(environment.database.longReads, path.fulfilmentCenterId) } }
  },
  replaceShippingZones: async (call) => {
    const { environment, path, body } = call
    const table = body.zones.map(zoneRow)
    await makeChange(call, (tx, change) => replaceZones(tx, change, path.fulfilmentCenterId, table), zoneDetail)
    return { status: 200, body: { zones: await zoneTable(environment.database.longReads, path.fulfilmentCenterId) } }
  },
  listShippingServices: async ({ environment, path, query, refuse }) => {
    if (!(await readSite(environment.database.reads, path.siteId))) throw refuse('site_not_found')
    return {
      status: 200,
      body: { services: listed(await offeredServices(environment.database.reads, path.siteId), query.archived) },
    }
  },
  testAddress: async ({ environment, path, query, now, refuse }) => {
    const site = await readSite(environment.database.reads, path.siteId)
    if (!site) throw refuse('site_not_found')
    const { siteId, orderingUserId } = site
    if (orderingUserId === null) throw refuse('no_ordering_user')
    const { productId, country, postalCode, ...rest } = query
    const wish = { ...rest, productId: productId!, country: country!, postalCode: postalCode! }
    return { status: 200, body: await testAddress(environment, { siteId, orderingUserId }, wish, now) }
  },
  createShippingService: async (call) => {
    const { environment, path, body } = call
    if (body.carrierService && !environment.carriers) throw call.refuse('carriers_not_set_up')
    const { shippingServiceId } = await makeChange(call, (tx, change) => createService(tx, change, path.siteId, body))
    return { status: 201, body: (await service(environment, path.siteId, shippingServiceId))! }
  },
  changeShippingService: async (call) => {
    const { environment, path, body } = call
    if (body.carrierService && !environment.carriers) throw call.refuse('carriers_not_set_up')
    const { siteId, shippingServiceId } = path
    await makeChange(call, (tx, change) => changeService(tx, change, siteId, shippingServiceId, body))
    return { status: 200, body: (await service(environment, siteId, shippingServiceId))! }
  },
  deleteShippingService: async (call) => {
    const { siteId, shippingServiceId } = call.path
    await makeChange(call, (tx, change) => deleteService(tx, change, siteId, shippingServiceId))
    return { status: 200, body: { shippingServiceId } }
  },
  archiveShippingService: async (call) => {
    const { siteId, shippingServiceId } = call.path
    await makeChange(call, (tx, change) => archiveService(tx, change, siteId, shippingServiceId, true))
    return { status: 200, body: await changedService(call) }
  },
  restoreShippingService: async (call) => {
    const { siteId, shippingServiceId } = call.path
    await makeChange(call, (tx, change) => archiveService(tx, change, siteId, shippingServiceId, false))
    return { status: 200, body: await changedService(call) }
  },
  readShippingRates: async ({ environment, path, refuse }) => {
    if (!(await service(environment, path.siteId, path.shippingServiceId))) throw refuse('service_not_found')
    return { status: 200, body: { rates: await rateTable(environment.database.longReads, path.shippingServiceId) } }
  },
  replaceShippingRates: async (call) => {
    const { environment, path, body } = call
    const table = body.rates.map((row) => ({ ...row, zone: row.zone ?? null }))
    await makeChange(
      call,
      (tx, change) => replaceRates(tx, change, path.siteId, path.shippingServiceId, table),
      (refused) => ('row' in refused ? `In rates[${refused.row}]: ${refused.detail}` : undefined),
    )
    return { status: 200, body: { rates: await rateTable(environment.database.longReads, path.shippingServiceId) } }
  },
}

type SentZone = { countryCode: string; stateCode?: string | null; postalPrefix?: string | null; zone: number }

function zoneRow({ stateCode = null, postalPrefix = null, ...row }: SentZone): ZoneRow {
  return { ...row, stateCode, postalPrefix }
}

function zoneDetail(refused: Refused): string | undefined {
  if (!('detail' in refused)) return undefined
  return 'row' in refused ? `In zones[${Number(refused.row)}]: ${refused.detail as string}` : (refused.detail as string)
}

async function service({ database }: StaffEnvironment, siteId: number, shippingServiceId: number) {
  const services = await offeredServices(database.reads, siteId)
  return services.find((each) => each.shippingServiceId === shippingServiceId)
}

/** Lists leave out what is archived, unless they are asked for that alone. */
function listed<Record extends { archivedOn: string | null }>(all: readonly Record[], archived = false): Record[] {
  return all.filter(({ archivedOn }) => (archivedOn !== null) === archived)
}

type ServiceCall = {
  environment: StaffEnvironment
  path: { siteId: number; shippingServiceId: number }
  refuse: (code: 'service_not_found') => Refusal<string>
}

/** The service after a change; it may have been deleted since. */
async function changedService({ environment, path, refuse }: ServiceCall) {
  const found = await service(environment, path.siteId, path.shippingServiceId)
  if (!found) throw refuse('service_not_found')
  return found
}

/** All keys of a center's address; what was left out is null. */
function addressOf(sent: (Pick<CenterAddress, 'address1' | 'city'> & Partial<CenterAddress>) | null) {
  if (!sent) return null
  const { address1, address2 = null, city, phone = null } = sent
  return { address1, address2, city, phone }
}
