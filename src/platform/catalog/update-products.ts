import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../database/database.ts'
import { updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { withKeptDecimals } from '../../vocabulary/exact-decimal.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudits } from '../audit/audit.ts'
import { definitionDecimals } from './product-definition.ts'
import {
  definitionFields,
  type ProductRecord,
  productRow,
  recordColumns,
  recordSource,
  settingsFields,
} from './product-record.ts'
import { pricesStart } from './price-tables.ts'
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
  const found = asked.flatMap(({ product, wish }) => (product ? [{ product, wish }] : []))
  const limited = found.filter(({ wish }) => typeof wish.maxQuantity === 'number')
  const redefined = found.filter(({ wish }) => wish.attributeNames !== undefined)
  const [names, pricedFrom, attributesChosen] = await Promise.all([
    knownNames(
      tx,
      found.map(({ product, wish }) => ({ siteId: product.siteId, ...wish })),
    ),
    pricesStart(
      tx,
      limited.map(({ product }) => product.productNumber),
    ),
    chosenAttributes(
      tx,
      redefined.map(({ product }) => product.productNumber),
    ),
  ])
  const judged = asked.map(
    ({ product, wish }) => product && judge(product, wish, { names, pricedFrom, attributesChosen }),
  )
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

/** How many attributes the variants of the products and of their shares use. */
async function chosenAttributes(tx: Transaction, numbers: readonly number[]): Promise<Map<number, number>> {
  if (numbers.length === 0) return new Map()
  // Served by product_by_master and variant_by_product.
  const rows = await tx.rows<{ productNumber: number; count: number }>(sql`
    select master.product_number, max(case
      when attribute3_choice is not null then 3 when attribute2_choice is not null then 2
      when attribute1_choice is not null then 1 else 0 end) as count
    from product master
    join product holder on holder.product_number = master.product_number or holder.master_number = master.product_number
    join variant on variant.product_number = holder.product_number
    where master.product_number = any(${numbers}::bigint[])
    group by master.product_number`)
  return new Map(rows.map((row) => [row.productNumber, row.count]))
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

type Facts = {
  names: KnownNames
  /** by product number */
  pricedFrom: ReadonlyMap<number, number>
  attributesChosen: ReadonlyMap<number, number>
}

function judge(product: Locked, wish: ProductWish, facts: Facts): Granted | NotUsable | { unchanged: true } {
  const { names, productNumber } = { ...facts, ...product }
  const defined = definitionFields.find((field) => wish[field] !== undefined)
  if (wish.active === true && product.archivedOn !== null) {
    return notUsable('active', 'The product is archived: restore it before it becomes active.')
  }
  const isShare = product.masterId !== null
  if (isShare && defined !== undefined) return notUsable(defined, `A shared product has its master's ${defined}.`)
  const wrong = settingsChangeProblem(isShare ? 'SLS' : 'SLO', wish)
  if (wrong) {
    const field = 'field' in wrong ? wrong.field : 'overrideDisplay'
    const details = {
      override_without_master: 'The field overrideDisplay can only be set on a shared product (SLS_…).',
      null_on_share: `The field ${field} cannot be empty on a shared product. Send overrideDisplay: false to inherit it again.`,
      text_beside_inheritance: `The field ${field} cannot be set together with overrideDisplay: false.`,
    }
    return notUsable(field, details[wrong.problem])
  }
  const next: Locked = { ...product, ...withKeptDecimals(product, wish, definitionDecimals) }
  if (isShare) Object.assign(next, textsOfShare(product.masterTexts, product, wish))
  const problem = wholeProblem(next, defined === undefined ? undefined : product)
  if (problem) return problem
  const start = facts.pricedFrom.get(productNumber)
  if (start !== undefined && next.maxQuantity !== product.maxQuantity && next.maxQuantity! < start) {
    return notUsable('maxQuantity', `The field maxQuantity must be at least ${start}, where the prices start.`)
  }
  const chosen = facts.attributesChosen.get(productNumber) ?? 0
  if (next.attributeNames.length < chosen) {
    return notUsable('attributeNames', `The variants have choices for ${chosen} attributes: clear those first.`)
  }
  if (typeof wish.fulfilmentCenterId === 'number' && !names.isCenter(wish.fulfilmentCenterId)) {
    return { refused: 'fulfilment_center_unknown' }
  }
  if (wish.code !== undefined && wish.code !== product.code && names.isTaken(product.siteId, wish.code)) {
    return { refused: 'code_taken' }
  }
  return changedFields(product, next).length > 0 ? { product, next } : { unchanged: true }
}

function notUsable(field: string, detail: string): NotUsable {
  return { refused: 'product_not_usable', field, detail }
}

function changedFields(before: Locked, after: Locked) {
  return [...definitionFields, ...settingsFields].filter((field) => !isDeepStrictEqual(before[field], after[field]))
}

/** The audit detail of the fields that changed. Texts may be long, so only their names are recorded. */
function auditOf({ product, next }: Granted, change: Change) {
  const fields = changedFields(product, next)
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
