import type { BodyOf } from '../api/api.ts'
import { numberTyped } from '../kit/number.ts'
import type { ProductDetail } from './product-glance.tsx'

/** The fields of a product as its forms hold them: texts, and names that are the paths of the API. */

type Body = BodyOf<'changeProduct'>
type Profile = ProductDetail['artworkProfile']
export type ProfileField = keyof Profile

export const profileFields: readonly ProfileField[] = [
  'trimWidth',
  'trimHeight',
  'bleed',
  'safe',
  'pagesMin',
  'pagesMax',
  'pagesMultiple',
  'imagePpiError',
  'imagePpiWarn',
  'inkPercentMax',
  'textPointsMin',
  'linePointsMin',
]

const profileName = <Field extends ProfileField>(field: Field): `artworkProfile.${Field}` => `artworkProfile.${field}`

export type ProductValues = ReturnType<typeof valuesOf>

export function valuesOf(product: ProductDetail) {
  const { artworkProfile } = product
  const profile = Object.fromEntries(
    profileFields.map((field) => [profileName(field), textOf(artworkProfile[field])]),
  ) as Record<`artworkProfile.${ProfileField}`, string>
  return {
    name: product.name,
    code: product.code,
    active: product.active,
    visibility: product.visibility as string,
    requiresApproval: product.requiresApproval,
    overrideDisplay: product.overrideDisplay === true,
    minQuantity: textOf(product.minQuantity),
    maxQuantity: textOf(product.maxQuantity),
    description: textOf(product.description),
    metaDescription: textOf(product.metaDescription),
    metaKeywords: textOf(product.metaKeywords),
    artworkSource: product.artworkSource as string,
    artworkTypes: product.artworkTypes as readonly string[],
    attributeNames: product.attributeNames.join(', '),
    handlingFee: textOf(product.handlingFee),
    taxable: product.taxable,
    shippable: product.shippable,
    digitalDelivery: product.digitalDelivery,
    requiresProof: product.requiresProof,
    unitWeightOunces: textOf(product.unitWeightOunces),
    turnaroundBusinessDays: textOf(product.turnaroundBusinessDays),
    fulfilmentCenterId: textOf(product.fulfilmentCenterId),
    templateVendor: textOf(product.templateVendor),
    templateId: textOf(product.templateId),
    ...profile,
  }
}

/** What differs from the product, as the API takes it. A form without a change names the product as it is named. */
export function changesOf(product: ProductDetail, values: ProductValues): Body {
  const before = valuesOf(product)
  const isSame = (name: keyof ProductValues) => JSON.stringify(before[name]) === JSON.stringify(values[name])
  const profileChanged = profileFields.some((field) => !isSame(profileName(field)))
  const texts = ['name', 'code', 'artworkSource', 'visibility'] as const
  const flags = [
    'active',
    'requiresApproval',
    'overrideDisplay',
    'taxable',
    'shippable',
    'digitalDelivery',
    'requiresProof',
  ] as const
  const optional = [
    'description',
    'metaDescription',
    'metaKeywords',
    'handlingFee',
    'unitWeightOunces',
    'templateVendor',
    'templateId',
  ] as const
  const numbers = ['minQuantity', 'maxQuantity', 'turnaroundBusinessDays', 'fulfilmentCenterId'] as const
  const changed = <Name extends keyof ProductValues, Sent>(names: readonly Name[], sent: (name: Name) => Sent) =>
    names.filter((name) => !isSame(name)).map((name) => [name, sent(name)] as const)
  const body = Object.fromEntries([
    ...changed(texts, (name) => values[name]),
    ...changed(flags, (name) => values[name]),
    ...changed(optional, (name) => values[name].trim() || null),
    ...changed(numbers, (name) => numberOf(values[name])),
    ...changed(['artworkTypes'], (name) => values[name]),
    ...changed(['attributeNames'], (name) => wordsOf(values[name])),
    ...(profileChanged ? [['artworkProfile', profileOf(values)]] : []),
  ]) as Body
  return Object.keys(body).length > 0 ? body : { visibility: product.visibility }
}

function profileOf(values: ProductValues): Profile {
  return Object.fromEntries(profileFields.map((field) => [field, numberOf(values[profileName(field)])])) as Profile
}

/** `Color, Size` → its words. */
export function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

/** Empty = null. What is no number is sent as it is, for the service to say so. */
export function numberOf(text: string): number | null {
  return text.trim() === '' ? null : numberTyped(text)
}

function textOf(value: string | number | null): string {
  return value === null ? '' : String(value)
}
