import { supportedVendor } from '../../outside/template-vendor/template-vendor.ts'
import { noArtworkRules } from '../../vocabulary/artwork.ts'
import { artworkProfiles } from '../artwork-profiles.ts'
import { daysAfter, daysBefore } from '../calendar.ts'
import { priceLadder, productIdOf, type Product } from '../catalog-rows.ts'
import { segments } from './customers.ts'
import { centers, sites } from './sites.ts'

/** The named products: one of each special kind. */

/** A template vendor that is no longer supported. */
const legacyTemplateVendor = 'TYPEBOX'

const plentiful = 5_000_000

const cardPrices = priceLadder('0.42', [
  [100, '0.7'],
  [250, '0.5'],
  [500, '0.36'],
  [1_000, '0.25'],
])
const wearPrices = priceLadder('18.5', [
  [12, '0.9'],
  [48, '0.8'],
  [144, '0.7'],
])

export type CastCatalog = ReturnType<typeof castCatalog>

export function castCatalog(now: Date) {
  const dated = { createdOn: daysBefore(now, 600), updatedOn: daysBefore(now, 30) }

  const stock: Product = {
    ...dated,
    number: 100_001,
    siteId: sites.main,
    name: 'Meridian Logo T-Shirt',
    code: 'MER-TEE',
    serviceType: 'STOCK',
    artworkSource: 'NONE',
    centerId: centers.east,
    prices: wearPrices,
    turnaroundBusinessDays: 2,
    unitWeightOunces: '6.5',
    description: 'Ring-spun cotton T-shirt with the Meridian logo on the chest.',
    metaDescription: 'Meridian logo T-shirt in black and white',
    metaKeywords: 't-shirt, apparel, logo',
    attributeNames: ['Color', 'Size'],
    variants: [
      { id: 60_001, choices: ['Black', 'Medium'], stock: plentiful },
      { id: 60_002, choices: ['Black', 'Large'], stock: plentiful },
      { id: 60_003, choices: ['White', 'Medium'], stock: 5 },
      { id: 60_004, choices: ['White', 'Large'], stock: 2, backorderable: true },
      { id: 60_005, choices: ['Gray', 'Medium'], stock: null },
      { id: 60_006, choices: ['Gray', 'Large'], stock: plentiful, active: false },
    ],
    images: [{ id: 40_001, name: 'front', sequence: 1, primary: true, alt: 'The T-shirt from the front' }],
  }
  const pod: Product = {
    ...dated,
    number: 100_002,
    siteId: sites.main,
    name: 'Classic Business Card',
    code: 'BC-CLASSIC',
    artworkProfile: artworkProfiles.card,
    serviceType: 'POD',
    artworkSource: 'UPLOAD',
    centerId: centers.east,
    prices: cardPrices,
    turnaroundBusinessDays: 3,
    unitWeightOunces: '0.06',
    requiresProof: true,
    description: 'Full color on both sides, 16 point matte stock.',
  }
  const template: Product = {
    ...pod,
    number: 100_003,
    name: 'Personalized Business Card',
    code: 'BC-PERSONAL',
    artworkSource: 'TEMPLATE',
    description: 'Your name and title on the company card.',
    templateVendor: supportedVendor,
    templateId: 'business-card-standard',
  }
  const templateLegacy: Product = {
    ...template,
    number: 100_004,
    name: 'Personalized Envelope',
    code: 'ENV-PERSONAL',
    artworkProfile: artworkProfiles.envelope,
    description: 'Number 10 envelope with your return address.',
    templateVendor: legacyTemplateVendor,
    templateId: '7731',
  }
  const templateUnconfigured: Product = {
    ...template,
    number: 100_005,
    name: 'Personalized Notepad',
    code: 'NOTE-PERSONAL',
    artworkProfile: artworkProfiles.notepad,
    description: 'Fifty sheets with your name on top.',
    unitWeightOunces: '5',
  }
  delete templateUnconfigured.templateId
  const mug: Product = {
    ...dated,
    number: 100_101,
    siteId: sites.second,
    name: 'Cascade Ceramic Mug',
    code: 'CAS-MUG',
    artworkProfile: artworkProfiles.mug,
    serviceType: 'STOCK',
    artworkSource: 'NONE',
    centerId: centers.west,
    prices: priceLadder('9.95', [
      [24, '0.85'],
      [96, '0.7'],
    ]),
    turnaroundBusinessDays: 2,
    unitWeightOunces: '14',
    description: 'Eleven ounce mug, dishwasher safe.',
    metaDescription: 'Ceramic mug with the Cascade mark',
    metaKeywords: 'mug, drinkware',
    attributeNames: ['Color'],
    variants: [
      { id: 60_101, choices: ['White'], stock: plentiful },
      { id: 60_102, choices: ['Navy'], stock: plentiful },
    ],
    images: [{ id: 40_101, name: 'mug', sequence: 1, primary: true, alt: 'A white mug' }],
  }
  const { description: _, metaDescription: _1, metaKeywords: _2, ...sharedFromMug } = mug
  const shared: Product = {
    ...sharedFromMug,
    number: 100_006,
    siteId: sites.main,
    master: mug,
    overrideDisplay: false,
    prices: [],
    variants: [
      { id: 60_011, choices: ['White'], stock: null, masterVariantId: 60_101 },
      { id: 60_012, choices: ['Navy'], stock: null, masterVariantId: 60_102 },
    ],
    images: [],
  }
  const unpriceable: Product = {
    ...pod,
    number: 100_007,
    name: 'Custom Die-Cut Folder',
    code: 'FOLDER-CUSTOM',
    artworkProfile: artworkProfiles.folder,
    prices: [],
    unitWeightOunces: '1.8',
    description: 'Quoted by hand.',
  }
  const withImages: Product = {
    ...dated,
    number: 100_008,
    siteId: sites.main,
    name: 'Trade Show Banner',
    code: 'BANNER-TS',
    artworkProfile: artworkProfiles.banner,
    serviceType: 'POD',
    artworkSource: 'UPLOAD',
    centerId: centers.east,
    prices: priceLadder('89', [
      [5, '0.92'],
      [10, '0.85'],
    ]),
    turnaroundBusinessDays: 4,
    unitWeightOunces: '72',
    requiresProof: true,
    images: [
      { id: 40_021, name: 'stand', sequence: 1, primary: true, alt: 'The banner on its stand' },
      { id: 40_022, name: 'detail', sequence: 2, alt: 'Hem and grommet' },
      { id: 40_023, name: 'folded', sequence: 3 },
      { id: 40_024, name: 'case', sequence: null },
    ],
  }
  const maxQuantity: Product = {
    ...pod,
    number: 100_009,
    name: 'Numbered Event Badge',
    code: 'BADGE-NUM',
    artworkProfile: artworkProfiles.badge,
    artworkSource: 'ON_FILE',
    prices: priceLadder('1.15', [[100, '0.8']]),
    maxQuantity: 500,
    description: 'Numbered badges come in runs of at most 500.',
  }
  delete maxQuantity.requiresProof
  const onFile: Product = {
    ...maxQuantity,
    number: 100_010,
    name: 'Company Letterhead',
    code: 'LETTERHEAD',
    artworkProfile: artworkProfiles.letterhead,
    prices: cardPrices,
    unitWeightOunces: '0.2',
    minQuantity: 100,
    maxQuantity: 100_000,
    description: 'The approved letterhead, printed from the file we hold.',
  }
  const digital: Product = {
    ...maxQuantity,
    number: 100_011,
    name: 'Brand Guidelines (download)',
    code: 'BRAND-PDF',
    artworkProfile: noArtworkRules,
    artworkSource: 'NONE',
    prices: priceLadder('0', []),
    unitWeightOunces: null,
    turnaroundBusinessDays: null,
    maxQuantity: 1,
    digital: true,
    untaxed: true,
    description: 'Delivered by link.',
  }
  const unquotable: Product = {
    ...withImages,
    number: 100_012,
    name: 'Engraved Award',
    code: 'AWARD-ENG',
    artworkProfile: noArtworkRules,
    centerId: centers.unpriceable,
    prices: priceLadder('140', []),
    images: [],
  }
  const forSegment: Product = {
    ...pod,
    number: 100_013,
    name: 'Franchise Welcome Card',
    code: 'CARD-FRANCHISE',
    visibility: 'SEGMENTS',
    segmentIds: [segments.main[0]],
  }
  const hidden: Product = {
    ...pod,
    number: 100_014,
    name: 'Discontinued Postcard',
    code: 'POSTCARD-OLD',
    artworkProfile: artworkProfiles.postcard,
    visibility: 'HIDDEN',
  }
  const inactive: Product = {
    ...pod,
    number: 100_015,
    name: 'Retired Brochure',
    code: 'BROCHURE-OLD',
    artworkProfile: artworkProfiles.brochure,
    active: false,
  }
  const kit: Product = {
    ...stock,
    number: 100_016,
    name: 'New Hire Welcome Kit',
    code: 'KIT-HIRE',
    prices: priceLadder('46', [[25, '0.9']]),
    unitWeightOunces: '38',
    requiresApproval: true,
    handlingFee: '4.5',
    description: 'Notebook, pen, bottle and badge holder in a box.',
    attributeNames: [],
    variants: [{ id: 60_021, choices: [], stock: plentiful }],
    images: [],
  }
  const discounted: Product = {
    ...pod,
    number: 100_017,
    name: 'Seasonal Postcard',
    code: 'POSTCARD-SEASON',
    artworkProfile: artworkProfiles.postcard,
    prices: cardPrices,
    discount: {
      name: 'Season opener',
      percent: '12.5',
      startsOn: daysBefore(now, 10),
      stopsOn: daysAfter(now, 400),
    },
  }
  const brochure: Product = {
    ...pod,
    number: 100_102,
    siteId: sites.second,
    name: 'Tri-Fold Brochure',
    code: 'BROCHURE-TRI',
    artworkProfile: artworkProfiles.trifold,
    centerId: centers.west,
    unitWeightOunces: '0.4',
  }
  const sharedBack: Product = {
    ...pod,
    number: 100_103,
    siteId: sites.second,
    master: pod,
    overrideDisplay: true,
    prices: [],
    description: 'The Meridian card with the Cascade mark.',
  }
  const foreignStock: Product = {
    ...stock,
    number: 100_201,
    siteId: sites.foreign,
    name: 'Albion Umbrella',
    code: 'ALB-BROLLY',
    centerId: centers.britain,
    prices: priceLadder('14.2', [[20, '0.85']]),
    unitWeightOunces: '16',
    description: 'Telescopic umbrella.',
    attributeNames: ['Colour'],
    variants: [
      { id: 60_201, choices: ['Navy'], stock: plentiful },
      { id: 60_202, choices: ['Green'], stock: plentiful },
    ],
    images: [{ id: 40_201, name: 'open', sequence: 1, primary: true, alt: 'The umbrella, open' }],
  }
  const foreignPod: Product = {
    ...pod,
    number: 100_202,
    siteId: sites.foreign,
    name: 'Compliment Slip',
    code: 'COMP-SLIP',
    artworkProfile: artworkProfiles.complimentSlip,
    centerId: centers.britain,
  }
  const previewStock: Product = {
    ...stock,
    number: 100_301,
    siteId: sites.noOrdering,
    name: 'Prairie Cap',
    code: 'PRA-CAP',
    attributeNames: [],
    variants: [{ id: 60_301, choices: [], stock: plentiful }],
    images: [],
  }
  const previewPod: Product = { ...pod, number: 100_302, siteId: sites.noOrdering, code: 'PRA-CARD' }
  const summitStock: Product = {
    ...stock,
    number: 100_401,
    siteId: sites.divisionAddresses,
    name: 'Summit Apron',
    code: 'SUM-APRON',
    centerId: centers.west,
    attributeNames: [],
    variants: [{ id: 60_401, choices: [], stock: plentiful }],
    images: [],
  }
  const summitPod: Product = { ...pod, number: 100_402, siteId: sites.divisionAddresses, code: 'SUM-CARD' }

  return {
    stock,
    pod,
    template,
    templateLegacy,
    templateUnconfigured,
    mug,
    shared,
    unpriceable,
    withImages,
    maxQuantity,
    onFile,
    digital,
    unquotable,
    forSegment,
    hidden,
    inactive,
    kit,
    discounted,
    brochure,
    sharedBack,
    foreignStock,
    foreignPod,
    previewStock,
    previewPod,
    summitStock,
    summitPod,
  }
}

/** The product ids of the manifest. */
export function productFixtures(catalog: CastCatalog) {
  return {
    stock: productIdOf(catalog.stock),
    stockVariantId: catalog.stock.variants![0]!.id,
    pod: productIdOf(catalog.pod),
    template: productIdOf(catalog.template),
    templateLegacy: productIdOf(catalog.templateLegacy),
    templateUnconfigured: productIdOf(catalog.templateUnconfigured),
    shared: productIdOf(catalog.shared),
    unpriceable: productIdOf(catalog.unpriceable),
    withImages: productIdOf(catalog.withImages),
    imageIds: catalog.withImages.images!.map((image) => image.id),
    maxQuantity: productIdOf(catalog.maxQuantity),
  }
}
