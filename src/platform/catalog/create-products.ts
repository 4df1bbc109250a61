import type { Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { recordAudit, recordAudits } from '../audit/audit.ts'
import { type ProductDefinition, startingDefinition } from './product-definition.ts'
import { productRow } from './product-record.ts'
import { chunksOf, knownNames, lockCodes, type NotUsable, type ProductWish, wholeProblem } from './product-rules.ts'
import { startingSettings, type StoredSettings } from './product-settings.ts'
import { hasPublishedId } from './published-id.ts'

/** Creates products: owned by a site, or shared from one site to another. */

export type NewProduct = Pick<ProductDefinition, 'name' | 'code' | 'artworkSource'> &
  Omit<ProductWish, 'overrideDisplay'> & { serviceType: ServiceType }

type Created = Done<{ productId: ProductId }> | NotUsable | { refused: 'site_not_found' }

type Granted = ProductDefinition & StoredSettings & { serviceType: ServiceType }

/** Creates a product that a site owns, without variants, prices or images. */
export async function createProduct(
  tx: Transaction,
  change: Change,
  siteId: number,
  product: NewProduct,
): Promise<Created> {
  const [created] = await createProducts(tx, change, siteId, [product])
  return created!
}

/** The same for many: a refused product does not prevent the others. */
export async function createProducts(
  tx: Transaction,
  change: Change,
  siteId: number,
  products: readonly NewProduct[],
): Promise<Created[]> {
  const site = await lockCurrency(tx, siteId)
  if (!site) return products.map(() => ({ refused: 'site_not_found' as const }))
  await lockCodes(tx, { siteId })
  const names = await knownNames(
    tx,
    products.map(({ code, fulfilmentCenterId = null }) => ({ siteId, code, fulfilmentCenterId })),
  )
  const judged = products.map((product): NotUsable | Granted => {
    const next = { ...startingDefinition, ...startingSettings, ...product, overrideDisplay: null }
    const { fulfilmentCenterId: center, serviceType } = next
    const problem = wholeProblem(next, { serviceType, currency: site.currency })
    if (problem) return problem
    if (center !== null && !names.isCenter(center)) return { refused: 'fulfilment_center_unknown' }
    return names.isTaken(siteId, next.code) ? { refused: 'code_taken' } : next
  })
  const numbers = new Map<string, number>()
  for (const chunk of chunksOf(judged.filter((each): each is Granted => !('refused' in each)))) {
    const inserted = await insertRows<{ productNumber: number; code: string }>(
      tx,
      'product',
      chunk.map((product) => ({
        ...productRow(product),
        kind: 'SLO',
        siteId,
        serviceType: product.serviceType,
        createdOn: change.now,
        updatedOn: change.now,
      })),
      ['productNumber', 'code'],
    )
    for (const { code, productNumber } of inserted) numbers.set(code, productNumber)
    await recordAudits(
      tx,
      chunk.map(({ name, code, serviceType }) => ({
        change,
        action: 'product.created',
        subject: { kind: 'product', id: numbers.get(code)! },
        siteId,
        detail: { name, code, serviceType },
      })),
    )
  }
  return judged.map((each) =>
    'refused' in each ? each : { done: { productId: { kind: 'SLO', number: String(numbers.get(each.code)) } } },
  )
}

/** Locks the site's key, so that a change of its currency waits. */
function lockCurrency(tx: Transaction, siteId: number): Promise<{ currency: string } | undefined> {
  return tx.row(sql`select currency from site where site_id = ${recordId(siteId)} for key share`)
}

type ShareRefused = {
  refused: 'product_not_found' | 'not_shareable' | 'site_not_found' | 'currencies_differ' | 'already_shared'
}

/**
 * Shares a product that a site owns to another site of the same currency. The share gets a variant for each of its
 * master's, and has its master's prices until it gets its own.
 */
export async function shareProduct(
  tx: Transaction,
  change: Change,
  masterId: ProductId,
  siteId: number,
): Promise<Done<{ productId: ProductId }> | ShareRefused> {
  const master = await tx.row<{ productNumber: number; siteId: number; currency: string }>(sql`
    select product.product_number, product.site_id, site.currency
    from product join site on site.site_id = product.site_id
    where ${hasPublishedId(masterId)}
    for no key update of product`)
  if (!master) return { refused: 'product_not_found' }
  if (masterId.kind === 'SLS' || master.siteId === siteId) return { refused: 'not_shareable' }
  const site = await lockCurrency(tx, siteId)
  if (!site) return { refused: 'site_not_found' }
  if (site.currency !== master.currency) return { refused: 'currencies_differ' }
  const present = await tx.row(sql`
    select product_number from product where master_number = ${master.productNumber} and site_id = ${siteId}`)
  if (present) return { refused: 'already_shared' }
  const created = await tx.row<{ productNumber: number }>(sql`
    insert into product (kind, site_id, master_number, name, code, service_type, artwork_source, override_display,
      created_on, updated_on)
    select 'SLS', ${siteId}, product_number, name, code, service_type, artwork_source, false, ${change.now}, ${change.now}
    from product where product_number = ${master.productNumber}
    returning product_number`)
  const productNumber = created!.productNumber
  await Promise.all([
    tx.rows(sql`
      insert into variant (site_id, product_number, master_variant_id, attribute1_choice, attribute2_choice,
        attribute3_choice, created_on, updated_on)
      select ${siteId}, ${productNumber}, variant_id, attribute1_choice, attribute2_choice, attribute3_choice,
        ${change.now}, ${change.now}
      from variant where product_number = ${master.productNumber} order by variant_id`),
    recordAudit(tx, change, {
      action: 'product.shared',
      subject: { kind: 'product', id: productNumber },
      siteId,
      detail: { masterNumber: master.productNumber, masterSiteId: master.siteId },
    }),
  ])
  return { done: { productId: { kind: 'SLS', number: String(productNumber) } } }
}
