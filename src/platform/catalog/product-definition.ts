import { type ArtworkProfile, noArtworkRules } from '../../vocabulary/artwork.ts'
import { isExactDecimal } from '../../vocabulary/exact-decimal.ts'
import { currencyScale, money } from '../../vocabulary/money.ts'
import { isName, nameFault } from '../../vocabulary/text.ts'
import {
  artworkSources,
  artworkTypes,
  artworkTypesByDefault,
  type ArtworkSource,
  type ArtworkType,
  type ServiceType,
} from '../../vocabulary/product-kinds.ts'
import { artworkProfileFault } from './artwork-profile.ts'

/** What a product is, as staff define it. A share has its master's. */
export type ProductDefinition = {
  name: string
  code: string
  artworkSource: ArtworkSource
  /** of print files that it takes; by content */
  artworkTypes: ArtworkType[]
  /** the rules that inspection holds its print files against */
  artworkProfile: ArtworkProfile
  /** the attributes in which its variants differ, up to three; STOCK only */
  attributeNames: string[]
  /** charged once per line, in the currency's scale; null = none */
  handlingFee: string | null
  taxable: boolean
  shippable: boolean
  digitalDelivery: boolean
  requiresProof: boolean
  /** of one piece, where its variant has no weight; exact decimal */
  unitWeightOunces: string | null
  turnaroundBusinessDays: number | null
  /** the fulfilment center that ships it */
  fulfilmentCenterId: number | null
  templateVendor: string | null
  templateId: string | null
}

/** Every field of a definition, with its default on a new product; undefined = required. */
export const startingDefinition = {
  name: undefined,
  code: undefined,
  artworkSource: undefined,
  artworkTypes: [...artworkTypesByDefault],
  artworkProfile: noArtworkRules,
  attributeNames: [],
  handlingFee: null,
  taxable: true,
  shippable: true,
  digitalDelivery: false,
  requiresProof: false,
  unitWeightOunces: null,
  turnaroundBusinessDays: null,
  fulfilmentCenterId: null,
  templateVendor: null,
  templateId: null,
} satisfies { [Field in keyof ProductDefinition]: ProductDefinition[Field] | undefined }

export const definitionDecimals = ['handlingFee', 'unitWeightOunces'] as const satisfies (keyof ProductDefinition)[]

export type FieldProblem = { field: string; detail: string }

/** The first thing wrong with a definition; whether its fulfilment center exists is asked of the database. */
export function definitionProblem(
  definition: ProductDefinition,
  of: { serviceType: ServiceType; currency: string },
): FieldProblem | undefined {
  const wrong = (field: keyof ProductDefinition, detail: string): FieldProblem => ({ field, detail })
  const { name, code, attributeNames, handlingFee, unitWeightOunces, turnaroundBusinessDays } = definition
  const unnamed = nameFault('name', name, 200)
  if (unnamed) return wrong('name', unnamed)
  const uncoded = nameFault('code', code, 100)
  if (uncoded) return wrong('code', uncoded)
  if (!artworkSources.includes(definition.artworkSource)) {
    return wrong('artworkSource', `The field artworkSource must be one of ${artworkSources.join(', ')}.`)
  }
  const types = new Set(definition.artworkTypes)
  if (types.size === 0 || types.size < definition.artworkTypes.length || !types.isSubsetOf(new Set(artworkTypes))) {
    return wrong(
      'artworkTypes',
      `The field artworkTypes must name at least one of ${artworkTypes.join(', ')}, each once.`,
    )
  }
  const unfitProfile = artworkProfileFault(definition.artworkProfile)
  if (unfitProfile) return wrong('artworkProfile', unfitProfile)
  if (attributeNames.length > 0 && of.serviceType !== 'STOCK') {
    return wrong('attributeNames', 'Only a STOCK product can have attributeNames.')
  }
  if (attributeNames.length > 3 || new Set(attributeNames).size < attributeNames.length) {
    return wrong('attributeNames', 'The field attributeNames must have at most three different names.')
  }
  if (attributeNames.some((each) => !isName(each, 100) || each.includes(';'))) {
    return wrong(
      'attributeNames',
      'An attribute name must be one line of 1 to 100 characters without semicolon, and at least one must be visible.',
    )
  }
  const scale = currencyScale(of.currency)
  if (handlingFee !== null && !isExactDecimal(handlingFee, scale)) {
    return wrong('handlingFee', `The field handlingFee must be an amount with at most ${scale} decimals.`)
  }
  if (unitWeightOunces !== null && (!isExactDecimal(unitWeightOunces, 6) || money(unitWeightOunces).lte(0))) {
    return wrong('unitWeightOunces', 'The field unitWeightOunces must be a positive decimal with at most six decimals.')
  }
  if (turnaroundBusinessDays !== null && !isWholeBetween(turnaroundBusinessDays, 0, 365)) {
    return wrong('turnaroundBusinessDays', 'The field turnaroundBusinessDays must be a whole number from 0 to 365.')
  }
  if (isEmptyOrLonger(definition.templateVendor, 50)) {
    return wrong('templateVendor', 'The field templateVendor must have 1 to 50 characters.')
  }
  if (isEmptyOrLonger(definition.templateId, 200))
    return wrong('templateId', 'The field templateId must have 1 to 200 characters.')
  return undefined
}

function isEmptyOrLonger(text: string | null, lengthMax: number): boolean {
  return text !== null && (text === '' || text.length > lengthMax)
}

function isWholeBetween(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}
