import { supportedVendor } from '../../outside/template-vendor/template-vendor.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import { money } from '../../vocabulary/money.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import { artworkProfiles } from '../artwork-profiles.ts'
import { daysAfter, daysBefore } from '../calendar.ts'
import { centers, sites } from '../cast/sites.ts'
import type { Image, Product, Variant } from '../catalog-rows.ts'
import { drawFor, type Draw } from '../draw.ts'

/** Thousands of products as storefronts of a print company have them. */

const productCounts: readonly (readonly [siteId: number, count: number])[] = [
  [sites.main, 1_500],
  [sites.second, 800],
  [sites.foreign, 280],
  [sites.noOrdering, 60],
  [sites.divisionAddresses, 80],
]

/** Products of one site that another site of the same partners sells as well. */
const shareCounts: readonly (readonly [fromSiteId: number, toSiteId: number, count: number])[] = [
  [sites.main, sites.second, 90],
  [sites.second, sites.main, 60],
]

type Family = {
  name: string
  code: string
  /** of one piece, in hundredths of a cent */
  price: number
  /** quantities from which a piece costs less */
  breaks: readonly number[]
  ounces: string
  turnaround: number
  artwork: readonly ArtworkSource[]
  /** none = no rules */
  profile?: ArtworkProfile
  finishes: readonly string[]
  /** STOCK only */
  attributes?: Readonly<Record<string, readonly string[]>>
  handlingFee?: string
}

const paper = ['Matte', 'Gloss', 'Linen', 'Recycled', 'Soft-Touch', 'Uncoated']
const board = ['Indoor', 'Outdoor', 'Double-Sided', 'Reflective']
const goods = ['Classic', 'Premium', 'Eco', 'Sport']
const made: readonly ArtworkSource[] = ['UPLOAD', 'UPLOAD', 'TEMPLATE', 'ON_FILE']
const cardBreaks = [100, 250, 500, 1_000, 2_500]
const signBreaks = [5, 10, 25]
const goodsBreaks = [12, 48, 144]
const colors = ['Black', 'White', 'Navy', 'Red', 'Heather Gray', 'Forest']
const sizes = ['S', 'M', 'L', 'XL', '2XL']

const printed = (
  name: string,
  code: string,
  price: number,
  ounces: string,
  turnaround: number,
  profile?: ArtworkProfile,
): Family => ({
  name,
  code,
  price,
  ounces,
  turnaround,
  ...(profile ? { profile } : {}),
  breaks: cardBreaks,
  artwork: made,
  finishes: paper,
})
const sign = (name: string, code: string, price: number, ounces: string, profile: ArtworkProfile): Family => ({
  ...printed(name, code, price, ounces, 5, profile),
  breaks: signBreaks,
  artwork: ['UPLOAD'],
  finishes: board,
})
const stocked = (
  name: string,
  code: string,
  price: number,
  ounces: string,
  attributes: Family['attributes'],
): Family => ({
  ...printed(name, code, price, ounces, 2),
  breaks: goodsBreaks,
  artwork: ['NONE'],
  finishes: goods,
  ...(attributes ? { attributes } : {}),
})
const kit = (name: string, code: string, price: number, ounces: string): Family => ({
  ...stocked(name, code, price, ounces, {}),
  handlingFee: '3.75',
})

const families: readonly Family[] = [
  printed('Business Card', 'BC', 3_900, '0.06', 3, artworkProfiles.card),
  stocked('T-Shirt', 'TS', 164_000, '6.5', { Color: colors, Size: sizes }),
  printed('Postcard', 'PC', 7_200, '0.2', 3, artworkProfiles.postcard),
  sign('Vinyl Banner', 'VB', 745_000, '48', artworkProfiles.banner),
  { ...stocked('Mug', 'MG', 89_500, '14', { Color: colors.slice(0, 4) }), profile: artworkProfiles.mug },
  printed('Tri-Fold Brochure', 'BR', 8_800, '0.4', 4, artworkProfiles.trifold),
  kit('Welcome Kit', 'WK', 420_000, '36'),
  printed('Flyer', 'FL', 4_600, '0.25', 3, artworkProfiles.flyer),
  stocked('Polo Shirt', 'PS', 248_000, '8', { Color: colors, Size: sizes }),
  sign('Yard Sign', 'YS', 189_000, '22', artworkProfiles.yardSign),
  printed('Letterhead', 'LH', 2_700, '0.2', 4, artworkProfiles.letterhead),
  stocked('Water Bottle', 'WB', 121_000, '11', { Color: colors.slice(0, 3) }),
  printed('Envelope', 'EN', 2_900, '0.3', 4, artworkProfiles.envelope),
  sign('Retractable Banner', 'RB', 1_290_000, '112', artworkProfiles.retractableBanner),
  stocked('Ballpoint Pen', 'BP', 11_500, '0.4', { Ink: ['Blue', 'Black'] }),
  printed('Presentation Folder', 'PF', 18_500, '1.8', 6, artworkProfiles.folder),
  kit('Event Kit', 'EK', 655_000, '64'),
  printed('Sticker Sheet', 'ST', 9_400, '0.3', 4, artworkProfiles.stickers),
  stocked('Hoodie', 'HD', 389_000, '18', { Color: colors.slice(0, 4), Size: sizes }),
  printed('Notepad', 'NP', 32_000, '5', 5, artworkProfiles.notepad),
  sign('Window Decal', 'WD', 96_000, '6', artworkProfiles.windowDecal),
  stocked('Tote Bag', 'TB', 74_000, '5', { Color: colors.slice(0, 3) }),
  printed('Greeting Card', 'GC', 9_900, '0.5', 4, artworkProfiles.greetingCard),
  stocked('Cap', 'CP', 142_000, '4', { Color: colors.slice(0, 5) }),
  printed('Door Hanger', 'DH', 8_300, '0.3', 4, artworkProfiles.doorHanger),
  sign('Wall Sign', 'WS', 560_000, '58', artworkProfiles.wallSign),
  stocked('Notebook', 'NB', 83_000, '9', { Cover: ['Black', 'Navy', 'Tan'], Ruling: ['Lined', 'Dotted'] }),
  printed('Table Tent', 'TT', 13_700, '0.8', 5, artworkProfiles.tableTent),
  stocked('Umbrella', 'UM', 176_000, '16', { Color: colors.slice(0, 3) }),
  printed('Wall Calendar', 'CL', 64_000, '7', 7, artworkProfiles.calendar),
  kit('Sales Sample Kit', 'SK', 298_000, '28'),
  printed('Poster', 'PO', 42_000, '2.5', 4, artworkProfiles.poster),
]

const collections = [
  'Grand Opening',
  'Spring',
  'Recruiting',
  'Trade Show',
  'Executive',
  'Summer',
  'Open House',
  'Anniversary',
  'Essentials',
  'Harvest',
  'Community',
  'Dealer',
  'Wellness',
  'Campus',
  'Winter',
  'Safety',
  'Loyalty',
  'Franchise',
  'Holiday',
  'Partner',
]

/** What is left of the full price at each break. */
const breakFactors = ['0.88', '0.76', '0.66', '0.58', '0.52']

/** Numbers that are free above the cast's. */
const first = { product: 101_001, variant: 61_001, image: 41_001 }

export function crowdCatalog(now: Date, segmentIds: ReadonlyMap<number, readonly number[]>): Product[] {
  const draw = drawFor('catalog')
  const next = { ...first }
  const products = productCounts.flatMap(([siteId, count]) =>
    Array.from({ length: count }, (_, turn) => productOf(siteId, turn, now, next, draw, segmentIds.get(siteId) ?? [])),
  )
  const shares = shareCounts.flatMap(([fromSiteId, toSiteId, count]) => {
    const masters = products.filter((product) => product.siteId === fromSiteId && product.active !== false)
    return Array.from({ length: count }, (_, turn) =>
      shareOf(masters[Math.floor((turn * masters.length) / count)]!, toSiteId, next, draw),
    )
  })
  return [...products, ...shares]
}

function productOf(
  siteId: number,
  turn: number,
  now: Date,
  next: typeof first,
  draw: Draw,
  segmentIds: readonly number[],
): Product {
  const family = families[turn % families.length]!
  const round = Math.floor(turn / families.length)
  const finish = family.finishes[round % family.finishes.length]!
  const collection = collections[(Math.floor(round / family.finishes.length) + siteId) % collections.length]!
  const createdOn = daysBefore(now, draw.whole(30, 1_000))
  const code = `${family.code}-${String(turn + 1).padStart(4, '0')}`
  const artworkSource = draw.pick(family.artwork)
  const isStock = family.attributes !== undefined
  const full = Math.round(family.price * (0.85 + 0.4 * draw.fraction()))
  const visibility = draw.weighted([
    ['PUBLIC', 86],
    ['SEGMENTS', 9],
    ['HIDDEN', 5],
  ] as const)
  const article = `${finish.toLowerCase()} ${family.name.toLowerCase()}`
  return {
    number: next.product++,
    siteId,
    name: `${collection} ${family.name}, ${finish}`,
    code,
    serviceType: isStock ? 'STOCK' : 'POD',
    artworkSource,
    ...(family.profile ? { artworkProfile: family.profile } : {}),
    centerId: siteId === sites.foreign ? centers.britain : draw.pick([centers.east, centers.east, centers.west]),
    createdOn,
    updatedOn: daysBefore(now, draw.whole(0, 29)),
    prices: [
      [1, unitPrice(full)],
      ...family.breaks.map((from, index): [number, string] => [from, unitPrice(full, breakFactors[index])]),
    ],
    turnaroundBusinessDays: family.turnaround + draw.whole(0, 1),
    unitWeightOunces: family.ounces,
    description: `A ${article} from the ${collection} collection.`,
    ...(draw.chance(0.6)
      ? { metaDescription: `${collection}: ${article}`, metaKeywords: `${article}, ${collection}`.toLowerCase() }
      : {}),
    visibility,
    ...(visibility === 'SEGMENTS' ? { segmentIds: someOf(segmentIds, draw) } : {}),
    ...(draw.chance(0.04) ? { requiresApproval: true as const } : {}),
    ...(artworkSource === 'UPLOAD' || artworkSource === 'TEMPLATE' ? { requiresProof: true as const } : {}),
    ...(artworkSource === 'TEMPLATE'
      ? { templateVendor: supportedVendor, templateId: `${family.code.toLowerCase()}-standard` }
      : {}),
    ...(draw.chance(0.12) ? { minQuantity: family.breaks[0]! } : {}),
    ...(draw.chance(0.06) ? { maxQuantity: family.breaks.at(-1)! * 10 } : {}),
    ...(family.handlingFee ? { handlingFee: family.handlingFee } : {}),
    ...(draw.chance(0.04) ? { active: false as const } : {}),
    ...(draw.chance(0.06) ? { discount: discountOf(now, draw) } : {}),
    attributeNames: Object.keys(family.attributes ?? {}),
    ...(family.attributes ? { variants: variantsOf(family.attributes, next, draw) } : {}),
    images: imagesOf(`${collection} ${family.name}`, next, draw),
  }
}

function unitPrice(hundredthsOfCent: number, factor = '1'): string {
  return money(hundredthsOfCent).times('0.0001').times(factor).round(4).toFixed()
}

function someOf(ids: readonly number[], draw: Draw): number[] {
  const start = draw.whole(0, ids.length - 1)
  return ids.slice(start, start + draw.whole(1, 3))
}

function discountOf(now: Date, draw: Draw): NonNullable<Product['discount']> {
  const startsOn = daysBefore(now, draw.whole(-20, 400))
  return {
    name: draw.pick(['Clearance', 'Season offer', 'Volume promotion']),
    percent: draw.pick(['5', '10', '15', '20']),
    startsOn,
    stopsOn: draw.chance(0.3) ? null : daysAfter(startsOn, draw.whole(30, 200)),
  }
}

function variantsOf(
  attributes: Readonly<Record<string, readonly string[]>>,
  next: typeof first,
  draw: Draw,
): Variant[] {
  let combinations: string[][] = [[]]
  for (const choices of Object.values(attributes))
    combinations = combinations.flatMap((chosen) => choices.map((choice) => [...chosen, choice]))
  // Not every combination is carried, but the first always is.
  return combinations
    .filter((_, index) => index === 0 || draw.chance(0.45))
    .map((choices, index) => {
      const stock = draw.weighted([
        [draw.whole(5_000, 250_000), 80],
        [draw.whole(0, 40), 10],
        [null, 10],
      ])
      return {
        id: next.variant++,
        choices,
        stock,
        ...(stock !== null && stock < 40 && draw.chance(0.5) ? { backorderable: true as const } : {}),
        ...(index > 0 && draw.chance(0.03) ? { active: false as const } : {}),
      }
    })
}

function imagesOf(subject: string, next: typeof first, draw: Draw): Image[] {
  const names = ['front', 'detail', 'in-use'].slice(0, draw.whole(0, 3))
  return names.map((name, index) => ({
    id: next.image++,
    name,
    sequence: draw.chance(0.03) ? null : index + 1,
    ...(index === 0 ? { primary: true as const } : {}),
    ...(draw.chance(0.7) ? { alt: `${subject}, ${name}` } : {}),
  }))
}

function shareOf(master: Product, siteId: number, next: typeof first, draw: Draw): Product {
  const {
    description,
    metaDescription: _1,
    metaKeywords: _2,
    discount: _3,
    segmentIds: _4,
    minQuantity: _5,
    maxQuantity: _6,
    requiresApproval: _7,
    ...kept
  } = master
  const overrideDisplay = draw.chance(0.3)
  return {
    ...kept,
    number: next.product++,
    siteId,
    master,
    overrideDisplay,
    visibility: 'PUBLIC',
    prices: [],
    images: [],
    ...(overrideDisplay && description ? { description: `${description} Now in this shop as well.` } : {}),
    ...(master.variants
      ? {
          variants: master.variants.map((variant) => ({
            id: next.variant++,
            choices: variant.choices,
            stock: null,
            masterVariantId: variant.id,
            ...(variant.active === false ? { active: false as const } : {}),
          })),
        }
      : {}),
  }
}
