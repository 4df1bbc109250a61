import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudits } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { ProductDefinition } from './product-definition.ts'
import { type ProductRecord, recordColumns, recordSource } from './product-record.ts'
import { updateProducts } from './product-rows.ts'
import {
  chunksOf,
  holdCodes,
  knownNames,
  type KnownNames,
  type NotUsable,
  type ProductEdit,
  wholeProblem,
} from './product-rules.ts'
import { type DisplayTexts, displayTexts, productChangeProblem, type ProductFields, textsOfShare } from './products.ts'

export type EditRefused = NotUsable | { refused: 'product_not_found' }
export type Edited = { changed: boolean } | EditRefused

/** Changes the given fields of a product that differ from what is there; a refusal has changed nothing. */
export async function editProduct(
  tx: Transaction,
  productId: ProductId,
  wish: ProductEdit,
  change: Change,
): Promise<Edited> {
  const [edited] = await editProducts(tx, [{ productId, wish }], change)
  return edited!
}

/** The same for many, each named once: what one is refused keeps no other from being changed. */
export async function editProducts(
  tx: Transaction,
  edits: readonly { productId: ProductId; wish: ProductEdit }[],
  change: Change,
): Promise<Edited[]> {
  const withCode = edits.filter(({ wish }) => wish.code !== undefined).map(({ productId }) => productId.number)
  if (withCode.length > 0) await holdCodes(tx, { products: withCode })
  const current = await lockProducts(
    tx,
    edits.map(({ productId }) => productId),
  )
  const looked = edits.map(({ productId, wish }) => {
    const product = current.get(`${productId.kind}_${productId.number}`)
    return product && { product, wish: differing(product, wish) }
  })
  const names = await knownNames(
    tx,
    looked.flatMap((each) =>
      each?.wish.code === undefined ? [] : [{ siteId: each.product.siteId, code: each.wish.code }],
    ),
  )
  const judged = looked.map((each) => each && judge(each.product, each.wish, names))
  const changed = judged.filter((each): each is Granted => each !== undefined && 'next' in each)
  for (const chunk of chunksOf(changed)) {
    await Promise.all([
      updateProducts(
        tx,
        chunk.map(({ next }) => next),
        change.now,
      ),
      recordAudits(
        tx,
        chunk.map((each) => auditOf(each, change)),
      ),
    ])
  }
  return judged.map((each) => {
    if (!each) return { refused: 'product_not_found' }
    return 'refused' in each ? each : { changed: 'next' in each }
  })
}

type Held = ProductRecord & {
  productNumber: number
  currency: string
  masterTexts: DisplayTexts
}

/** In ascending order, so that two who change many never wait for each other. */
async function lockProducts(tx: Transaction, productIds: readonly ProductId[]): Promise<Map<string, Held>> {
  const numbers = productIds.map(({ number }) => number)
  const rows = await tx.rows<Held>(sql`
    select ${recordColumns}, product.product_number, site.currency,
      json_build_object('description', source.description, 'metaDescription', source.meta_description,
        'metaKeywords', source.meta_keywords) as master_texts
    from product ${recordSource} join site on site.site_id = product.site_id
    where product.product_number = any(${numbers}::bigint[])
    order by product.product_number
    for no key update of product`)
  return new Map(rows.map((row) => [row.productId, row]))
}

type Granted = { product: Held; wish: ProductEdit; next: Held }

function judge(product: Held, wish: ProductEdit, names: KnownNames): Granted | NotUsable | { unchanged: true } {
  const given = Object.keys(wish)
  if (given.length === 0) return { unchanged: true }
  const isShare = product.masterId !== null
  const defined = given.find((field) => definitionFields.has(field as keyof ProductDefinition))
  if (isShare && defined !== undefined) return notUsable(defined, `A shared product has its master's ${defined}.`)
  const wrong = productChangeProblem(isShare ? 'SLS' : 'SLO', wish)
  if (wrong) {
    const field = 'field' in wrong ? wrong.field : 'overrideDisplay'
    const details = {
      override_without_master: 'overrideDisplay can only be set on a shared product.',
      null_on_share: `${field} cannot be empty on a shared product: overrideDisplay false inherits it again.`,
      text_beside_inheritance: `${field} cannot be set together with overrideDisplay false.`,
    }
    return notUsable(field, details[wrong.problem])
  }
  const next: Held = { ...product, ...wish }
  if (isShare) Object.assign(next, textsOfShare(product.masterTexts, product, wish))
  const problem = wholeProblem(next, product)
  if (problem) return problem
  if (typeof wish.fulfilmentCenterId === 'number' && !names.isCenter(wish.fulfilmentCenterId)) {
    return { refused: 'fulfilment_center_unknown' }
  }
  if (wish.code !== undefined && names.isTaken(product.siteId, wish.code)) return { refused: 'code_taken' }
  return { product, wish, next }
}

function notUsable(field: string, detail: string): NotUsable {
  return { refused: 'product_not_usable', field, detail }
}

const definitionFields: ReadonlySet<keyof ProductDefinition> = new Set([
  'name',
  'code',
  'artworkSource',
  'attributeNames',
  'handlingFee',
  'taxable',
  'shippable',
  'digitalDelivery',
  'requiresProof',
  'unitWeightOunces',
  'turnaroundBusinessDays',
  'fulfilmentCenterId',
  'templateVendor',
  'templateId',
])

const siteFields: ReadonlySet<keyof ProductFields | 'active'> = new Set([
  'visibility',
  'requiresApproval',
  'overrideDisplay',
  'minQuantity',
  'maxQuantity',
  'description',
  'metaDescription',
  'metaKeywords',
  'active',
])

/** The known fields of a wish that say something new. */
function differing(current: ProductRecord, wish: ProductEdit): ProductEdit {
  const entries = (Object.entries(wish) as [keyof ProductEdit, unknown][]).filter(
    ([field, value]) =>
      value !== undefined &&
      (definitionFields.has(field as never) || siteFields.has(field as never)) &&
      JSON.stringify(value) !== JSON.stringify(current[field]),
  )
  return Object.fromEntries(entries)
}

/** Texts may be long, so the record only names them. */
function auditOf({ product, next }: Granted, change: Change) {
  const fields = [...definitionFields, ...siteFields].filter(
    (field) => JSON.stringify(product[field]) !== JSON.stringify(next[field]),
  )
  const short = fields.filter((field) => !displayTexts.some((each) => each === field))
  const told = (of: Held) => Object.fromEntries(short.map((field) => [field, of[field]]))
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
