import { brands, type BrandKey } from '../specimens/brands.ts'
import { kindOfCode } from '../specimens/kind-of-code.ts'
import { sites } from '../cast/sites.ts'
import type { SpecimenKind } from '../specimens/specimens.ts'
import { stockGoods, type GoodsCode } from './stock-goods.ts'

/** Which picture stands behind an image of a demo product. */

/** What is in a product image. */
export type Subject = { brand: BrandKey; view: View } & ({ print: SpecimenKind } | { goods: GoodsCode; color: string })

export type View = 'whole' | 'closer' | 'aside'

const keyForm = /^product-images\/demo\/(\d+)\/([a-z0-9-]+)\/([a-z-]+)\.jpeg$/

/** Where the demo data has an image of a product. */
export function demoImagePath(siteId: number, productCode: string, name: string): string {
  return `product-images/demo/${siteId}/${productCode.toLowerCase()}/${name}.jpeg`
}

/** @returns undefined for a key that is none of the demo images' */
export function subjectOf(imagePath: string): Subject | undefined {
  const [, siteId, code, name] = keyForm.exec(imagePath) ?? []
  if (name === undefined) return undefined
  const productCode = code!.toUpperCase()
  const number = numberIn(productCode)
  const about = { brand: brandOf(Number(siteId), number), view: views[name] ?? 'whole' }
  if (productCode === 'BANNER-TS' && name !== 'detail') return { ...about, print: 'retractableBanner' }
  const print = kindOfCode(productCode)
  if (print !== undefined) return { ...about, print }
  const goods = goodsOf(productCode)
  const colors = goodsColors[goods] ?? ['White']
  return { ...about, goods, color: colors[(castGoods[productCode]?.color ?? number) % colors.length]! }
}

const views: Readonly<Record<string, View>> = {
  detail: 'closer',
  folded: 'closer',
  'in-use': 'aside',
  case: 'aside',
}

const goodsColors: Readonly<Partial<Record<GoodsCode, readonly string[]>>> = {
  TS: ['Black', 'White', 'Navy', 'Red', 'Heather Gray', 'Forest'],
  PS: ['Black', 'White', 'Navy', 'Red', 'Heather Gray', 'Forest'],
  MG: ['Black', 'White', 'Navy', 'Red'],
  WB: ['Black', 'White', 'Navy'],
  BP: ['Blue', 'Black'],
  HD: ['Black', 'White', 'Navy', 'Red'],
  TB: ['Black', 'White', 'Navy'],
  CP: ['Black', 'White', 'Navy', 'Red', 'Heather Gray'],
  NB: ['Black', 'Navy', 'Tan'],
  UM: ['Black', 'White', 'Navy'],
  WK: ['Red', 'Navy', 'Forest'],
  EK: ['Navy', 'Forest', 'Black'],
  SK: ['Forest', 'Red', 'Navy'],
}

/** Goods of the cast; `color` is the place of their first one in the list. */
const castGoods: Readonly<Record<string, { goods: GoodsCode; color: number }>> = {
  'MER-TEE': { goods: 'TS', color: 0 },
  'CAS-MUG': { goods: 'MG', color: 1 },
  'KIT-HIRE': { goods: 'WK', color: 1 },
  'ALB-BROLLY': { goods: 'UM', color: 2 },
  'PRA-CAP': { goods: 'CP', color: 3 },
}

/** Staff may add goods of other kinds; they would be shown as a kit. */
function goodsOf(productCode: string): GoodsCode {
  const family = productCode.slice(0, 2)
  return castGoods[productCode]?.goods ?? (family in stockGoods ? (family as GoodsCode) : 'WK')
}

const shopBrands: ReadonlyMap<number, BrandKey> = new Map([
  [sites.main, 'meridian'],
  [sites.second, 'cascade'],
  [sites.foreign, 'albion'],
  [sites.noOrdering, 'prairie'],
  [sites.divisionAddresses, 'summit'],
])

/** A shop shows its own brand on what has no number, and those of its customers on the rest. */
function brandOf(siteId: number, number: number): BrandKey {
  const own = shopBrands.get(siteId) ?? 'reyes'
  const all = Object.keys(brands) as BrandKey[]
  // Products of a family follow each other at 32 numbers.
  return number === 0 ? own : all[(all.indexOf(own) + Math.floor(number / 32)) % all.length]!
}

/** The number at the end of a code such as `BC-0033`; 0 if it has none. */
function numberIn(productCode: string): number {
  return Number(/-(\d{4})$/.exec(productCode)?.[1] ?? 0)
}
