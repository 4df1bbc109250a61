import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import { recordAudit, recordAudits } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { plainDefinition, type ProductDefinition } from './product-definition.ts'
import { insertProducts, type WritableProduct } from './product-rows.ts'
import { chunksOf, holdCodes, knownNames, type NotUsable, type ProductEdit, wholeProblem } from './product-rules.ts'
import { hasPublishedId } from './published-id.ts'

/** How products come to be: made by a site, or shared from one site to another. */

export type NewProduct = Pick<ProductDefinition, 'name' | 'code' | 'artworkSource'> &
  Omit<ProductEdit, 'overrideDisplay'> & { serviceType: ServiceType }

export type CreateRefused = NotUsable | { refused: 'site_not_found' }

type Granted = WritableProduct & { serviceType: ServiceType }

const plainFields = {
  visibility: 'PUBLIC',
  requiresApproval: false,
  minQuantity: null,
  maxQuantity: null,
  description: null,
  metaDescription: null,
  metaKeywords: null,
  active: true,
} as const

/** A product a site owns, without variants, prices or images; a refusal has created nothing. */
export async function createProduct(
  tx: Transaction,
  siteId: number,
  product: NewProduct,
  change: Change,
): Promise<{ productId: ProductId } | CreateRefused> {
  const [created] = await createProducts(tx, siteId, [product], change)
  return created!
}

/** The same for many: what one is refused keeps no other from being created. */
export async function createProducts(
  tx: Transaction,
  siteId: number,
  products: readonly NewProduct[],
  change: Change,
): Promise<({ productId: ProductId } | CreateRefused)[]> {
  // Held for its key, which a change of its currency waits for.
  const site = await tx.row<{ currency: string }>(sql`
    select currency from site where site_id = ${siteId} for key share`)
  if (!site) return products.map(() => ({ refused: 'site_not_found' as const }))
  await holdCodes(tx, { siteId })
  const names = await knownNames(
    tx,
    products.map(({ code }) => ({ siteId, code })),
  )
  const judged = products.map((product): NotUsable | Granted => {
    const next = { ...plainDefinition, ...plainFields, ...product, overrideDisplay: null }
    const { fulfilmentCenterId: center, serviceType } = next
    const problem = wholeProblem(next, { serviceType, currency: site.currency })
    if (problem) return problem
    if (center !== null && !names.isCenter(center)) return { refused: 'fulfilment_center_unknown' }
    return names.isTaken(siteId, next.code) ? { refused: 'code_taken' } : next
  })
  const numbers = new Map<string, number>()
  for (const chunk of chunksOf(judged.filter((each): each is Granted => !('refused' in each)))) {
    const inserted = await insertProducts(tx, siteId, chunk, change.now)
    for (const [code, number] of inserted) numbers.set(code, number)
    await recordAudits(
      tx,
      chunk.map(({ name, code, serviceType }) => ({
        change,
        action: 'product.created',
        subject: { kind: 'product', id: inserted.get(code)! },
        siteId,
        detail: { name, code, serviceType },
      })),
    )
  }
  return judged.map((each) =>
    'refused' in each ? each : { productId: { kind: 'SLO', number: String(numbers.get(each.code)) } },
  )
}

export type ShareRefused = {
  refused: 'product_not_found' | 'not_shareable' | 'site_not_found' | 'currencies_differ' | 'already_shared'
}

/**
 * Shares a product a site owns to another site of the same currency, with a variant of the share's own over each of its
 * master's. It has its master's prices until it is given its own.
 */
export async function shareProduct(
  tx: Transaction,
  masterId: ProductId,
  siteId: number,
  change: Change,
): Promise<{ productId: ProductId } | ShareRefused> {
  const master = await tx.row<{ productNumber: number; siteId: number; currency: string }>(sql`
    select product.product_number, product.site_id, site.currency
    from product join site on site.site_id = product.site_id
    where ${hasPublishedId(masterId)}
    for no key update of product`)
  if (!master) return { refused: 'product_not_found' }
  if (masterId.kind === 'SLS' || master.siteId === siteId) return { refused: 'not_shareable' }
  // Held for its key, which a change of its currency waits for.
  const site = await tx.row<{ currency: string }>(sql`
    select currency from site where site_id = ${siteId} for key share`)
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
  return { productId: { kind: 'SLS', number: String(productNumber) } }
}
