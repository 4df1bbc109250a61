import { Type } from 'typebox'
import { artworkProfileFields } from '../../contract/artwork-profile.ts'
import {
  decimal,
  described,
  flag,
  instant,
  int32,
  nullable,
  oneOf,
  productId,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import {
  artworkSources,
  artworkTypes,
  serviceTypes,
  visibilities,
  weightUnits,
} from '../../vocabulary/product-kinds.ts'

/** The records of the catalog as staff see them. */

const ArtworkProfileRecord = record(
  'ArtworkProfile',
  artworkProfileFields,
  'the rules that its print files are held against; null = no rule',
)

const product = {
  productId,
  siteId: int32,
  masterId: nullable(described(productId, 'of a share: the product it was shared from')),
  serviceType: oneOf(serviceTypes),
  name: text,
  code: text,
  artworkSource: oneOf(artworkSources),
  artworkTypes: described(Type.Array(oneOf(artworkTypes)), 'types of the print files that it takes'),
  artworkProfile: ArtworkProfileRecord,
  attributeNames: Type.Array(text),
  handlingFee: nullable(decimal),
  taxable: flag,
  shippable: flag,
  digitalDelivery: flag,
  requiresProof: flag,
  unitWeightOunces: nullable(decimal),
  turnaroundBusinessDays: nullable(whole),
  fulfilmentCenterId: nullable(int32),
  templateVendor: nullable(text),
  templateId: nullable(text),
  visibility: oneOf(visibilities),
  requiresApproval: flag,
  overrideDisplay: nullable(flag),
  minQuantity: nullable(whole),
  maxQuantity: nullable(whole),
  description: nullable(described(text, "its own; null on a share that shows its master's")),
  metaDescription: nullable(text),
  metaKeywords: nullable(text),
  active: described(flag, 'of its own; a share sells only while its master is active too'),
  archivedOn: nullable(described(instant, 'null = it is not archived')),
  createdOn: instant,
  updatedOn: instant,
}

export const StaffProduct = record('StaffProduct', product)

export const StaffVariant = record('StaffVariant', {
  variantId: int32,
  masterVariantId: nullable(described(int32, 'of a share: the variant at which the stock is counted')),
  sku: nullable(text),
  attribute1Choice: nullable(text),
  attribute2Choice: nullable(text),
  attribute3Choice: nullable(text),
  location: nullable(text),
  weight: nullable(decimal),
  weightUnit: nullable(oneOf(weightUnits)),
  stockQuantity: nullable(described(Type.Integer(), 'null = not tracked; below zero = owed to back orders')),
  backorderable: flag,
  lowStockLevel: nullable(described(whole, 'the stock is low at this many pieces or fewer; null = never')),
  active: flag,
})

export const PriceBreakView = record('PriceBreak', {
  variantId: nullable(described(int32, 'null = for all variants without breaks of their own')),
  fromQuantity: whole,
  unitPrice: decimal,
})

export const DiscountView = record('ProductDiscount', {
  name: nullable(text),
  percent: decimal,
  startsOn: nullable(instant),
  stopsOn: nullable(instant),
})

export const StaffImage = record('StaffImage', {
  imageId: int32,
  imagePath: text,
  url: nullable(described(text, 'reads the image for ten minutes; null = stored elsewhere')),
  sequence: nullable(Type.Integer()),
  primary: flag,
  imageAlt: nullable(text),
  attribution: nullable(text),
  imageWidth: nullable(whole),
  imageHeight: nullable(whole),
})

export const productWarningList = Type.Array(text, {
  description: 'sentences about what is allowed and hardly meant; [] = nothing',
})

export const SegmentShown = record('AssignedSegment', { segmentId: int32, name: text })

export const StaffProductDetail = record('StaffProductDetail', {
  ...product,
  shares: Type.Array(record('ProductShare', { productId, siteId: int32, active: flag })),
  variants: Type.Array(StaffVariant),
  priceBreaks: described(Type.Array(PriceBreakView), "its own; a share without any sells at its master's"),
  discounts: Type.Array(DiscountView),
  segments: Type.Array(SegmentShown),
  images: described(Type.Array(StaffImage), "its own; a share without any shows its master's"),
  warnings: productWarningList,
})
