import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { Visibility } from '../../vocabulary/product-kinds.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { hasPublishedId } from './published-id.ts'

/**
 * What a site decides about its products: who sees them, how many may be ordered, and the texts they are shown with. A
 * share has texts of its own only while it overrides its master's. Variants, images and segments have files of their own.
 */

export type DisplayTexts = { description: string | null; metaDescription: string | null; metaKeywords: string | null }

/** What may be changed. Partners can move limits once set, and only staff can take them away. */
export type ProductFields = DisplayTexts & {
  visibility: Visibility
  requiresApproval: boolean
  /** shares only */
  overrideDisplay: boolean
  minQuantity: number | null
  maxQuantity: number | null
}

export const displayTexts = ['description', 'metaDescription', 'metaKeywords'] as const

/** Why a change makes no sense for the product, whatever it now is. */
export type ProductChangeProblem =
  | { problem: 'override_without_master' }
  /** a share has either its master's texts or texts of its own, and its own cannot be nothing */
  | { problem: 'null_on_share' | 'text_beside_inheritance'; field: keyof DisplayTexts }

/** What the kind of the product alone says about a change: true whether there is such a product or not. */
export function productChangeProblem(
  kind: ProductId['kind'],
  wish: Partial<ProductFields>,
): ProductChangeProblem | undefined {
  if (kind === 'SLO') return wish.overrideDisplay === undefined ? undefined : { problem: 'override_without_master' }
  const emptied = displayTexts.find((field) => wish[field] === null)
  if (emptied) return { problem: 'null_on_share', field: emptied }
  const told = displayTexts.find((field) => wish[field] !== undefined)
  return told && wish.overrideDisplay === false ? { problem: 'text_beside_inheritance', field: told } : undefined
}

type StoredProduct = DisplayTexts & {
  visibility: Visibility
  requiresApproval: boolean
  overrideDisplay: boolean | null
  minQuantity: number | null
  maxQuantity: number | null
}

/**
 * Changes the given fields of a product on one of the sites and leaves the others as they are. A share that is given a
 * text starts to override: the texts it was not given are then copied from its master, so that nothing shown is lost.
 * One told to inherit again forgets its own (CAT-27). The wish has no `productChangeProblem`.
 */
export async function updateProduct(
  database: Database,
  siteIds: readonly number[],
  productId: ProductId,
  wish: Partial<ProductFields>,
  change: Change,
): Promise<{ productNumber: number } | { refused: 'product_not_found' | 'limits_crossed' }> {
  return database.transaction(async (tx) => {
    const product = await lockProduct(tx, siteIds, productId)
    if (!product) return { refused: 'product_not_found' }
    const { productNumber, siteId, masterNumber, ...before } = product
    const next = { ...before, ...wish }
    if (masterNumber !== null) Object.assign(next, textsOfShare(await masterTexts(tx, masterNumber), before, wish))
    if (next.minQuantity !== null && next.maxQuantity !== null && next.maxQuantity < next.minQuantity) {
      return { refused: 'limits_crossed' }
    }
    await Promise.all([
      tx.rows(sql`
        update product
        set visibility = ${next.visibility}, requires_approval = ${next.requiresApproval},
          override_display = ${next.overrideDisplay}, min_quantity = ${next.minQuantity},
          max_quantity = ${next.maxQuantity}, description = ${next.description},
          meta_description = ${next.metaDescription}, meta_keywords = ${next.metaKeywords}, updated_on = ${change.now}
        where product_number = ${productNumber} and site_id = ${siteId}`),
      recordAudit(tx, change, {
        action: 'product.updated',
        subject: { kind: 'product', id: productNumber },
        siteId,
        detail: {
          before: shortFields(before),
          after: shortFields(next),
          textsChanged: displayTexts.filter((field) => next[field] !== before[field]),
        },
      }),
    ])
    return { productNumber }
  })
}

type Locked = { productNumber: number; siteId: number; masterNumber: number | null }

function lockProduct(
  tx: Transaction,
  siteIds: readonly number[],
  productId: ProductId,
): Promise<(StoredProduct & Locked) | undefined> {
  // Served by product's primary key.
  return tx.row<StoredProduct & Locked>(sql`
    select product.product_number, product.site_id,
      product.master_number, product.visibility, product.requires_approval,
      product.override_display, product.min_quantity,
      product.max_quantity, product.description, product.meta_description,
      product.meta_keywords
    from product
    where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])
    for no key update`)
}

/** What a share without texts of its own shows. */
async function masterTexts(tx: Transaction, masterNumber: number): Promise<DisplayTexts> {
  // Served by product's primary key.
  const texts = await tx.row<DisplayTexts>(sql`
    select description, meta_description, meta_keywords
    from product where product_number = ${masterNumber}`)
  return texts!
}

type ShareTexts = DisplayTexts & { overrideDisplay: boolean | null }

/** A share's own texts once the wish is granted, and whether they are what it shows. */
export function textsOfShare(
  mastersTexts: DisplayTexts,
  before: ShareTexts,
  wish: Partial<ProductFields>,
): DisplayTexts & { overrideDisplay: boolean } {
  const isGivenText = displayTexts.some((field) => wish[field] !== undefined)
  const overrideDisplay = wish.overrideDisplay ?? (isGivenText || before.overrideDisplay === true)
  if (!overrideDisplay) return { overrideDisplay, description: null, metaDescription: null, metaKeywords: null }
  const shown = before.overrideDisplay ? before : mastersTexts
  const textOf = (field: keyof DisplayTexts): string | null => wish[field] ?? shown[field]
  return {
    overrideDisplay,
    description: textOf('description'),
    metaDescription: textOf('metaDescription'),
    metaKeywords: textOf('metaKeywords'),
  }
}

/** The fields an audit record tells in full; texts may be long, so it only names them. */
function shortFields({ visibility, requiresApproval, overrideDisplay, minQuantity, maxQuantity }: StoredProduct) {
  return { visibility, requiresApproval, overrideDisplay, minQuantity, maxQuantity }
}
