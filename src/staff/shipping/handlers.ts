import {
  changeFulfilmentCenter,
  createFulfilmentCenter,
  fulfilmentCenters,
} from '../../platform/shipping/fulfilment-centers.ts'
import { keepService, offeredServices } from '../../platform/shipping/offered-services.ts'
import { rateTable, replaceRates } from '../../platform/shipping/rate-tables.ts'
import { replaceZones, zoneTable } from '../../platform/shipping/zone-tables.ts'
import { readSite } from '../../platform/sites/sites.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import type { shipping } from './contract.ts'

export const shippingHandlers: StaffHandlers<typeof shipping> = {
  listFulfilmentCenters: async ({ world }) => ({
    status: 200,
    body: { fulfilmentCenters: await fulfilmentCenters(world.database.reads) },
  }),
  createFulfilmentCenter: async ({ world, body, change, refuse }) => {
    const created = await createFulfilmentCenter(world.database, { priceable: true, ...body }, change)
    if ('refused' in created) throw refuse(created.refused, created.detail)
    return { status: 201, body: created }
  },
  changeFulfilmentCenter: async ({ world, path, body, change, refuse }) => {
    const changed = await changeFulfilmentCenter(world.database, path.fulfilmentCenterId, body, change)
    if ('refused' in changed) throw refuse(changed.refused, 'detail' in changed ? changed.detail : undefined)
    return { status: 200, body: changed }
  },
  readShippingZones: async ({ world, path, refuse }) => {
    const centers = await fulfilmentCenters(world.database.reads)
    if (!centers.some((each) => each.fulfilmentCenterId === path.fulfilmentCenterId)) {
      throw refuse('fulfilment_center_not_found')
    }
    return { status: 200, body: { zones: await zoneTable(world.database.reads, path.fulfilmentCenterId) } }
  },
  replaceShippingZones: async ({ world, path, body, change, refuse }) => {
    const table = body.zones.map((row) => ({ stateCode: null, postalPrefix: null, ...row }))
    const replaced = await replaceZones(world.database, path.fulfilmentCenterId, table, change)
    if ('refused' in replaced) {
      throw refuse(replaced.refused, 'row' in replaced ? `zones[${replaced.row}]: ${replaced.detail}` : undefined)
    }
    return { status: 200, body: { zones: await zoneTable(world.database.reads, path.fulfilmentCenterId) } }
  },
  listShippingServices: async ({ world, path, refuse }) => {
    if (!(await readSite(world.database.reads, path.siteId))) throw refuse('site_not_found')
    return { status: 200, body: { services: await offeredServices(world.database.reads, path.siteId) } }
  },
  createShippingService: async ({ world, path, body, change, refuse }) => {
    const kept = await keepService(world.database, path.siteId, undefined, body, change)
    if ('refused' in kept) {
      if (kept.refused === 'service_not_found') throw new Error('a service that is being added was looked for')
      throw refuse(kept.refused, 'detail' in kept ? kept.detail : undefined)
    }
    return { status: 201, body: (await service(world, path.siteId, kept.shippingServiceId))! }
  },
  changeShippingService: async ({ world, path, body, change, refuse }) => {
    const kept = await keepService(world.database, path.siteId, path.shippingServiceId, body, change)
    if ('refused' in kept) throw refuse(kept.refused, 'detail' in kept ? kept.detail : undefined)
    return { status: 200, body: (await service(world, path.siteId, kept.shippingServiceId))! }
  },
  readShippingRates: async ({ world, path, refuse }) => {
    if (!(await service(world, path.siteId, path.shippingServiceId))) throw refuse('service_not_found')
    return { status: 200, body: { rates: await rateTable(world.database.reads, path.shippingServiceId) } }
  },
  replaceShippingRates: async ({ world, path, body, change, refuse }) => {
    const table = body.rates.map((row) => ({ ...row, zone: row.zone ?? null }))
    const replaced = await replaceRates(world.database, path.siteId, path.shippingServiceId, table, change)
    if ('refused' in replaced) {
      throw refuse(replaced.refused, 'row' in replaced ? `rates[${replaced.row}]: ${replaced.detail}` : undefined)
    }
    return { status: 200, body: { rates: await rateTable(world.database.reads, path.shippingServiceId) } }
  },
}

async function service({ database }: StaffWorld, siteId: number, shippingServiceId: number) {
  const services = await offeredServices(database.reads, siteId)
  return services.find((each) => each.shippingServiceId === shippingServiceId)
}
