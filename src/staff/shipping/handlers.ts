import { cutOffHourDefault } from '../../platform/shipping/business-days.ts'
import {
  changeFulfilmentCenter,
  createFulfilmentCenter,
  fulfilmentCenters,
  replaceClosedDays,
} from '../../platform/shipping/fulfilment-centers.ts'
import { changeService, createService, offeredServices } from '../../platform/shipping/offered-services.ts'
import { rateTable, replaceRates } from '../../platform/shipping/rate-tables.ts'
import { replaceZones, zoneTable } from '../../platform/shipping/zone-tables.ts'
import { readSite } from '../../platform/sites/sites.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { shipping } from './contract.ts'

export const shippingHandlers: StaffHandlers<typeof shipping> = {
  listFulfilmentCenters: async ({ environment }) => ({
    status: 200,
    body: { fulfilmentCenters: await fulfilmentCenters(environment.database.reads) },
  }),
  createFulfilmentCenter: async (call) => {
    const center = { priceable: true, cutOffHour: cutOffHourDefault, ...call.body }
    return { status: 201, body: await makeChange(call, (tx, change) => createFulfilmentCenter(tx, change, center)) }
  },
  changeFulfilmentCenter: async (call) => {
    const { path, body } = call
    const changed = await makeChange(call, (tx, change) =>
      changeFulfilmentCenter(tx, change, path.fulfilmentCenterId, body),
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
  readShippingZones: async ({ environment, path, refuse }) => {
    const centers = await fulfilmentCenters(environment.database.reads)
    if (!centers.some((each) => each.fulfilmentCenterId === path.fulfilmentCenterId)) {
      throw refuse('fulfilment_center_not_found')
    }
    return { status: 200, body: { zones: await zoneTable(environment.database.reads, path.fulfilmentCenterId) } }
  },
  replaceShippingZones: async (call) => {
    const { environment, path, body } = call
    const table = body.zones.map((row) => ({ stateCode: null, postalPrefix: null, ...row }))
    await makeChange(
      call,
      (tx, change) => replaceZones(tx, change, path.fulfilmentCenterId, table),
      (refused) => ('row' in refused ? `In zones[${refused.row}]: ${refused.detail}` : undefined),
    )
    return { status: 200, body: { zones: await zoneTable(environment.database.reads, path.fulfilmentCenterId) } }
  },
  listShippingServices: async ({ environment, path, refuse }) => {
    if (!(await readSite(environment.database.reads, path.siteId))) throw refuse('site_not_found')
    return { status: 200, body: { services: await offeredServices(environment.database.reads, path.siteId) } }
  },
  createShippingService: async (call) => {
    const { environment, path, body } = call
    const { shippingServiceId } = await makeChange(call, (tx, change) => createService(tx, change, path.siteId, body))
    return { status: 201, body: (await service(environment, path.siteId, shippingServiceId))! }
  },
  changeShippingService: async (call) => {
    const { environment, path, body } = call
    const { siteId, shippingServiceId } = path
    await makeChange(call, (tx, change) => changeService(tx, change, siteId, shippingServiceId, body))
    return { status: 200, body: (await service(environment, siteId, shippingServiceId))! }
  },
  readShippingRates: async ({ environment, path, refuse }) => {
    if (!(await service(environment, path.siteId, path.shippingServiceId))) throw refuse('service_not_found')
    return { status: 200, body: { rates: await rateTable(environment.database.reads, path.shippingServiceId) } }
  },
  replaceShippingRates: async (call) => {
    const { environment, path, body } = call
    const table = body.rates.map((row) => ({ ...row, zone: row.zone ?? null }))
    await makeChange(
      call,
      (tx, change) => replaceRates(tx, change, path.siteId, path.shippingServiceId, table),
      (refused) => ('row' in refused ? `In rates[${refused.row}]: ${refused.detail}` : undefined),
    )
    return { status: 200, body: { rates: await rateTable(environment.database.reads, path.shippingServiceId) } }
  },
}

async function service({ database }: StaffEnvironment, siteId: number, shippingServiceId: number) {
  const services = await offeredServices(database.reads, siteId)
  return services.find((each) => each.shippingServiceId === shippingServiceId)
}
