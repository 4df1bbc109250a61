import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { newProduct } from './catalog.ts'
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

export const csvFileSamples: Samples = {
  exportProducts: () => ({}),
  importProducts: changedFile,
  exportPrices: () => ({}),
  importPrices: prices,
  exportUsers: () => ({}),
  importUsers: users,
}
