import type { Transaction } from '../../database/database.ts'
import { updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudits } from '../audit/audit.ts'
import {
  definitionFields,
  type ProductRecord,
  productRow,
  recordColumns,
  recordSource,
  settingsFields,
} from './product-record.ts'
import {
  chunksOf,
  knownNames,
  type KnownNames,
  lockCodes,
  type NotUsable,
  type ProductWish,
  wholeProblem,
} from './product-rules.ts'
import { type DisplayTexts, displayTexts, settingsChangeProblem, textsOfShare } from './product-settings.ts'

type Updated = Done | NotUsable | { refused: 'product_not_found' }

/**
 * Changes the given fields of a product on one of the sites and leaves the others as they are. Partners give settings
 * alone, without `active`; a share has its master's definition.
 */
export async function updateProduct(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  wish: ProductWish,
): Promise<Updated> {
  const [updated] = await updateProducts(tx, change, siteIds, [{ productId, wish }])
  return updated!
}

/** The same for many, each named once: a refused change does not prevent the others. */
export async function updateProducts(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  edits: readonly { productId: ProductId; wish: ProductWish }[],
): Promise<Updated[]> {
  const withCode = edits.filter(({ wish }) => wish.code !== undefined).map(({ productId }) => productId.number)
  if (withCode.length > 0) await lockCodes(tx, { products: withCode })
  const products = await lockProducts(
    tx,
    siteIds,
    edits.map(({ productId }) => productId),
  )
  const asked = edits.map(({ productId, wish }) => ({ product: products.get(idOf(productId)), wish }))
  const names = await knownNames(
    tx,
    asked.flatMap(({ product, wish }) => (product ? [{ siteId: product.siteId, ...wish }] : [])),
  )
  const judged = asked.map(({ product, wish }) => product && judge(product, wish, names))
  for (const chunk of chunksOf(judged.filter((each): each is Granted => each !== undefined && 'next' in each))) {
    await Promise.all([
      updateRows(
        tx,
        'product',
        'productNumber',
        chunk.map(({ next }) => ({
          productNumber: next.productNumber,
          ...productRow(next),
          updatedOn: change.now,
        })),
      ),
      recordAudits(
        tx,
        chunk.map((each) => auditOf(each, change)),
      ),
    ])
  }
  return judged.map((each) => {
    if (!each) return { refused: 'product_not_found' }
    return 'refused' in each ? each : { done: {} }
  })
}

type Locked = ProductRecord & {
  productNumber: number
  currency: string
  masterTexts: DisplayTexts
}

/** Locks in ascending order, so that two changes of many cannot deadlock, and reads once all are locked. */
async function lockProducts(
  tx: Transaction,
  siteIds: readonly number[],
  productIds: readonly ProductId[],
): Promise<Map<string, Locked>> {
  const numbers = productIds.map(({ number }) => number)
  // Served by product's primary key.
  const [, rows] = await Promise.all([
    tx.rows(sql`
      select product_number from product
      where product_number = any(${numbers}::bigint[]) and site_id = any(${siteIds}::int[])
      order by product_number
      for no key update`),
    tx.rows<Locked>(sql`
      select ${recordColumns}, product.product_number, site.currency,
        json_build_object('description', source.description, 'metaDescription', source.meta_description,
          'metaKeywords', source.meta_keywords) as master_texts
      from product ${recordSource} join site on site.site_id = product.site_id
      where product.product_number = any(${numbers}::bigint[]) and product.site_id = any(${siteIds}::int[])`),
  ])
  return new Map(rows.map((row) => [row.productId, row]))
}

function idOf({ kind, number }: ProductId): string {
  return `${kind}_${number}`
}

type Granted = { product: Locked; next: Locked }

function judge(product: Locked, wish: ProductWish, names: KnownNames): Granted | NotUsable {
  const defined = definitionFields.find((field) => wish[field] !== undefined)
  const isShare = product.masterId !== null
  if (isShare && defined !== undefined) return notUsable(defined, `A shared product has its master's ${defined}.`)
  const wrong = settingsChangeProblem(isShare ? 'SLS' : 'SLO', wish)
  if (wrong) {
    const field = 'field' in wrong ? wrong.field : 'overrideDisplay'
    const details = {
      override_without_master: 'overrideDisplay can only be set on a shared product.',
      null_on_share: `${field} cannot be empty on a shared product: overrideDisplay false inherits it again.`,
      text_beside_inheritance: `${field} cannot be set together with overrideDisplay false.`,
    }
    return notUsable(field, details[wrong.problem])
  }
  const next: Locked = { ...product, ...wish }
  if (isShare) Object.assign(next, textsOfShare(product.masterTexts, product, wish))
  const problem = wholeProblem(next, defined === undefined ? undefined : product)
  if (problem) return problem
  if (typeof wish.fulfilmentCenterId === 'number' && !names.isCenter(wish.fulfilmentCenterId)) {
    return { refused: 'fulfilment_center_unknown' }
  }
  if (wish.code !== undefined && wish.code !== product.code && names.isTaken(product.siteId, wish.code)) {
    return { refused: 'code_taken' }
  }
  return { product, next }
}

function notUsable(field: string, detail: string): NotUsable {
  return { refused: 'product_not_usable', field, detail }
}

/** The audit detail of the fields that changed. Texts may be long, so only their names are recorded. */
function auditOf({ product, next }: Granted, change: Change) {
  const fields = [...definitionFields, ...settingsFields].filter(
    (field) => JSON.stringify(product[field]) !== JSON.stringify(next[field]),
  )
  const short = fields.filter((field) => !displayTexts.some((each) => each === field))
  const told = (of: Locked) => Object.fromEntries(short.map((field) => [field, of[field]]))
  return {
    change,
    action: 'product.updated',
    subject: { kind: 'product', id: product.productNumber },
    siteId: product.siteId,
    detail: {
      before: told(product),
      after: told(next),
      textsChanged: displayTexts.filter((field) => fields.includes(field)),
    },
  }
}
