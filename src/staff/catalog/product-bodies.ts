import { Type } from 'typebox'
import { artworkProfileFields } from '../../contract/artwork-profile.ts'
import { bodyObject, described, flag, idInBody, nullable, oneOf, textUpTo } from '../../contract/fields.ts'
import { quantityLimitsMax } from '../../platform/catalog/product-settings.ts'
import { artworkSources, artworkTypes, visibilities, weightUnits } from '../../vocabulary/product-kinds.ts'

/** The bodies in which staff send products and variants. */

const amount = (says: string) => Type.String({ maxLength: 20, description: says })
const quantity = (maximum: number) => nullable(Type.Integer({ minimum: 1, maximum }))

/** Required of every product. */
export const named = {
  name: textUpTo(200),
  code: described(textUpTo(100), 'unique among the products that the site owns'),
  artworkSource: oneOf(artworkSources),
}

const further = Type.Object({
  artworkTypes: described(
    Type.Array(oneOf(artworkTypes), { minItems: 1, maxItems: artworkTypes.length }),
    'types of the print files that it takes; told by their content. By default PDF, PNG, JPEG, TIFF and SVG',
  ),
  artworkProfile: described(
    bodyObject(artworkProfileFields),
    'the rules that its print files are held against; null = no rule. By default there are none',
  ),
  attributeNames: described(Type.Array(textUpTo(100), { maxItems: 3 }), 'what the variants differ in; STOCK only'),
  handlingFee: nullable(amount("charged once per line, in the currency's scale")),
  taxable: flag,
  shippable: flag,
  digitalDelivery: flag,
  requiresProof: flag,
  unitWeightOunces: nullable(amount('of one piece')),
  turnaroundBusinessDays: nullable(Type.Integer({ minimum: 0, maximum: 365 })),
  fulfilmentCenterId: nullable(idInBody),
  templateVendor: nullable(textUpTo(50)),
  templateId: nullable(textUpTo(200)),
  visibility: oneOf(visibilities),
  requiresApproval: flag,
  minQuantity: quantity(quantityLimitsMax.minQuantity),
  maxQuantity: quantity(quantityLimitsMax.maxQuantity),
  description: nullable(textUpTo(20_000)),
  metaDescription: nullable(textUpTo(2000)),
  metaKeywords: nullable(textUpTo(2000)),
  active: flag,
})

/** The same fields, all optional. */
export const maybeNamed = Type.Partial(Type.Object(named)).properties
export const maybeFurther = Type.Partial(further).properties

const variantText = Type.Optional(nullable(textUpTo(255)))
export const variant = {
  sku: variantText,
  attribute1Choice: variantText,
  attribute2Choice: variantText,
  attribute3Choice: variantText,
  location: variantText,
  weight: Type.Optional(nullable(amount('of one piece, in weightUnit'))),
  weightUnit: Type.Optional(nullable(oneOf(weightUnits))),
  backorderable: Type.Optional(flag),
  lowStockLevel: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'the stock is low at this many pieces or fewer; null = never',
      }),
    ),
  ),
  active: Type.Optional(flag),
}
