import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { newProduct } from './catalog.ts'
import { center, newService } from './shipping.ts'
import { newUser } from './customers.ts'

const headers = { 'content-type': 'text/csv' }

async function changedFile({ service, admin }: SampleWorld): Promise<Sample> {
  const at = `/staff/v1/production/sites/${service.manifest.sites.second}/products.csv`
  const file = (await admin.get(at)).body as string
  return {
    path: { siteId: service.manifest.sites.second },
    body: file.replace(/"Cascade Ceramic Mug"/, '"Cascade Stoneware Mug"'),
    headers,
  }
}

async function prices({ service, admin }: SampleWorld): Promise<Sample> {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  const { productId } = (await admin.post(at, newProduct())).body
  return { body: `productId,variantId,fromQuantity,unitPrice\n${productId},,1,9.95\n`, headers }
}

const userHeader =
  'userId,username,email,firstName,lastName,company,phone,divisionId,active,ordersRequireApproval,allSegmentsVisible,taxExempt'

function users({ service }: SampleWorld): Sample {
  const { username, email } = newUser({ service })
  return { body: `${userHeader}\n,${username},${email},Sia,Berg,,,,true,false,false,true\n`, headers }
}

async function variants({ service, admin }: SampleWorld): Promise<Sample> {
  const path = { siteId: service.manifest.sites.second }
  const file = (await admin.get(`/staff/v1/production/sites/${path.siteId}/variants.csv`)).body as string
  const [header, first] = file.split('\r\n')
  const changed = first!.replace(/,[^,]*,([^,]*)$/, ',"25",$1')
  return { path, body: `${header}\n${changed}\n`, headers }
}

async function stock({ service, admin }: SampleWorld): Promise<Sample> {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  const created = await admin.post(at, { ...newProduct('STOCK'), variants: [{ sku: 'COASTER-LP-RD' }] })
  const { variantId } = created.body.variants[0]
  const header = 'variantId,sku,productName,stockQuantity,newStockQuantity,lastImportId'
  return { body: `${header}\n${variantId},COASTER-LP-RD,Letterpress Coaster,,480,\n`, headers }
}

async function rates({ service, admin }: SampleWorld): Promise<Sample> {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/shipping-services`
  const { shippingServiceId } = (await admin.post(at, newService())).body
  const header = 'shippingServiceId,provider,serviceName,zone,upToOunces,price'
  return { body: `${header}\n${shippingServiceId},,,,16,7.95\n${shippingServiceId},,,,80,12.40\n`, headers }
}

async function zones(world: SampleWorld): Promise<Sample> {
  const header = 'countryCode,stateCode,postalPrefix,zone'
  return { ...(await center(world)), body: `${header}\nUS,,,8\nUS,TX,,2\nUS,TX,787,1\n`, headers }
}

export const csvFileSamples: Samples = {
  exportProducts: () => ({}),
  importProducts: changedFile,
  exportPrices: () => ({}),
  importPrices: prices,
  exportUsers: () => ({}),
  importUsers: users,
  exportVariants: ({ service }) => ({ path: { siteId: service.manifest.sites.second } }),
  importVariants: variants,
  exportStock: ({ service }) => ({ path: { siteId: service.manifest.sites.second } }),
  importStock: stock,
  exportRates: () => ({}),
  importRates: rates,
  exportZones: () => ({ path: { fulfilmentCenterId: 1 } }),
  importZones: zones,
}
