import { Type } from 'typebox'
import {
  anyIdInBody,
  bodyObject,
  decimal,
  described,
  flag,
  formedText,
  instant,
  int32,
  nullable,
  oneOf,
  openEnum,
  pageOf,
  patchBody,
  productId,
  record,
  text,
  textUpTo,
  whole,
} from '../../contract/fields.ts'
import { imageUrl, imageUrlExpiresOn } from '../../contract/image-link.ts'
import { operation, type QueryRule } from '../../contract/operation.ts'
import { exactFilter, paged, type Parameter, siteIdFilter, wordFilter } from '../../contract/parameters.ts'
import { quantityLimitsMax } from '../../platform/catalog/product-settings.ts'
import { lineQuantityMax } from '../../platform/catalog/quantity-rules.ts'
import {
  artworkSources,
  artworkTypes,
  serviceTypes,
  visibilities,
  weightUnits,
} from '../../vocabulary/product-kinds.ts'
import { isBlank } from '../../vocabulary/text.ts'

export const Variant = record('Variant', {
  variantId: int32,
  productId,
  sku: nullable(text),
  attribute1Name: nullable(text),
  attribute1Choice: nullable(text),
  attribute2Name: nullable(text),
  attribute2Choice: nullable(text),
  attribute3Name: nullable(text),
  attribute3Choice: nullable(text),
  location: nullable(described(text, 'location in the warehouse')),
  weight: nullable(described(decimal, 'weight of one piece, in weightUnit')),
  weightUnit: nullable(openEnum(weightUnits)),
  availableQuantity: nullable(described(Type.Integer(), 'null = not tracked')),
  backorderable: flag,
  active: flag,
  createdOn: instant,
  updatedOn: instant,
})

export const Product = record('Product', {
  productId,
  siteId: int32,
  name: text,
  code: text,
  serviceType: openEnum(serviceTypes),
  artworkSource: openEnum(artworkSources),
  visibility: described(openEnum(visibilities), 'SEGMENTS: only users in one of segmentIds see it'),
  requiresApproval: flag,
  overrideDisplay: nullable(
    described(
      flag,
      'true = a shared product shows its own description, metaDescription and metaKeywords; false = it shows those of ' +
        'its master product; null = the site owns the product',
    ),
  ),
  minQuantity: nullable(whole),
  maxQuantity: nullable(whole),
  turnaroundBusinessDays: nullable(whole),
  primaryImagePath: nullable(text),
  segmentIds: Type.Array(int32),
  active: flag,
  createdOn: instant,
  updatedOn: described(instant, 'for information only: not a watermark for polling changes'),
})

export const ProductDetail = record('ProductDetail', {
  ...Product.properties,
  primaryImageUrl: imageUrl,
  primaryImageUrlExpiresOn: imageUrlExpiresOn,
  description: nullable(text),
  metaDescription: nullable(text),
  metaKeywords: nullable(text),
  artworkTypes: described(
    Type.Array(openEnum(artworkTypes)),
    'media types of the print files that it takes; the content of a file tells its type',
  ),
  attributeNames: Type.Array(text, { maxItems: 3 }),
  variants: Type.Array(Variant, { description: 'empty for POD products' }),
})

export const ProductSegments = record('ProductSegments', {
  productId,
  segments: Type.Array(record('ProductSegment', { segmentId: int32, name: text })),
})

// Longer than any name or code a search could mean.
const searchLengthMax = 200

const searchText: Parameter<string> = {
  schema: Type.String({ minLength: 1, maxLength: searchLengthMax, pattern: '\\S' }),
  read: (value) => (!isBlank(value) && value.length <= searchLengthMax ? value : undefined),
  malformed: 'invalid_query',
  form: `text of at most ${searchLengthMax} characters, not blank`,
  says:
    "search words: a product's name, code, id, SKUs, variants' choices, keywords and descriptions must match all of " +
    'them; one ranked set, best match ' +
    'first, so nextCursor is always null',
}

const productFilters = {
  serviceType: wordFilter(serviceTypes, 'invalid_service_type', 'only products of this kind'),
  code: exactFilter(255, 'only products with this code, in exactly this letter case; not with q'),
  sku: exactFilter(255, 'only products with a variant of this SKU, in exactly this letter case; not with q'),
  q: searchText,
  ...paged({ default: 100, max: 500 }),
}

type ProductFilters = Partial<Record<'siteId' | 'q' | 'code' | 'sku' | 'cursor', unknown>>

const searchNamesItsSite: QueryRule = {
  code: 'site_id_required_for_search',
  broken: ({ q, siteId }: ProductFilters) => q !== undefined && siteId === undefined,
}

const searchIsOneSet: QueryRule = {
  code: 'cursor_not_supported_with_search',
  broken: ({ q, cursor }: ProductFilters) => q !== undefined && cursor !== undefined,
}

const searchHasNoCode: QueryRule = {
  code: 'invalid_request',
  broken: ({ q, code, sku }: ProductFilters) => q !== undefined && (code !== undefined || sku !== undefined),
  detail: 'The parameter q finds codes and SKUs by itself: send it without code and sku.',
}

export const ProductPage = pageOf('ProductPage', 'products', Product)

// The specification names no lengths for these texts; the bounds are our own.
const displayText = (lengthMax: number) => Type.Optional(nullable(textUpTo(lengthMax)))
const minQuantity = Type.Integer({
  minimum: 1,
  maximum: quantityLimitsMax.minQuantity,
  description: 'the smallest quantity of an order line; 1 = no limit',
})
const maxQuantity = Type.Integer({
  minimum: 1,
  maximum: quantityLimitsMax.maxQuantity,
  description: `the largest quantity of an order line; ${lineQuantityMax} or more = no limit`,
})
const variantText = Type.Optional(nullable(textUpTo(255)))

export const products = {
  listProducts: operation({
    id: 'listProducts',
    at: 'GET /v1/products',
    scope: 'products:read',
    query: { siteId: siteIdFilter, ...productFilters },
    queryRules: [searchNamesItsSite, searchIsOneSet, searchHasNoCode],
    collection: 'products',
    answers: { 200: ProductPage },
    refuses: ['search_not_available'],
    says: 'Lists or searches the products on your sites.',
  }),
  listSiteProducts: operation({
    id: 'listSiteProducts',
    at: 'GET /v1/sites/{siteId}/products',
    scope: 'products:read',
    query: productFilters,
    queryRules: [searchIsOneSet, searchHasNoCode],
    collection: 'products',
    answers: { 200: ProductPage },
    refuses: ['search_not_available'],
    says: 'Lists or searches the products of one site.',
    // The list of all sites takes siteId.
    agents: { offered: 'never' },
  }),
  getProduct: operation({
    id: 'getProduct',
    at: 'GET /v1/products/{productId}',
    scope: 'products:read',
    answers: { 200: ProductDetail },
    refuses: ['product_not_found'],
    says: 'Shows one product with its variants.',
  }),
  updateProduct: operation({
    id: 'updateProduct',
    at: 'PATCH /v1/products/{productId}',
    revises: 'getProduct',
    scope: 'products:write',
    body: {
      schema: patchBody({
        visibility: Type.Optional(oneOf(visibilities)),
        requiresApproval: Type.Optional(flag),
        overrideDisplay: Type.Optional(
          described(
            flag,
            'shared products only; false = show the description, metaDescription and metaKeywords of the master product ' +
              'again; a change of one of them sets it to true',
          ),
        ),
        minQuantity: Type.Optional(minQuantity),
        maxQuantity: Type.Optional(maxQuantity),
        description: displayText(20_000),
        metaDescription: displayText(2000),
        metaKeywords: displayText(2000),
      }),
      malformed: 'invalid_product_patch',
      nulls: 'refused',
      example: { visibility: 'SEGMENTS', minQuantity: 25 },
    },
    answers: { 200: ProductDetail },
    refuses: [
      'invalid_product_patch',
      'sls_null_backfills_master',
      'product_not_found',
      'monolith_rejected',
      'monolith_target_missing',
      'audit_unavailable',
    ],
    says: 'Changes a product; fields that are left out keep their values.',
    agents: { idempotent: true, destructive: true },
  }),
  updateVariant: operation({
    id: 'updateVariant',
    at: 'PATCH /v1/products/{productId}/variants/{variantId}',
    revises: 'getProduct',
    scope: 'products:write',
    body: {
      schema: patchBody({
        attribute1Choice: variantText,
        attribute2Choice: variantText,
        attribute3Choice: variantText,
        location: variantText,
        weight: Type.Optional(
          nullable(
            formedText(
              '^\\d{1,9}(\\.\\d{1,6})?$',
              'a decimal with at most nine digits and six decimals, such as "2.5"',
              {
                description: "exact decimal, in the variant's weightUnit; a variant without a unit gets OZ",
              },
            ),
          ),
        ),
      }),
      malformed: 'invalid_variant_patch',
      nulls: 'refused',
      example: { location: 'A-14-3', weight: '2.5' },
    },
    answers: { 200: Variant },
    refuses: [
      'product_not_found',
      'variant_not_site_addressable',
      'monolith_rejected',
      'monolith_target_missing',
      'audit_unavailable',
    ],
    says: 'Changes a variant of a STOCK product; fields that are left out keep their values, and null clears a field.',
    agents: { idempotent: true, destructive: true },
  }),
  replaceProductSegments: operation({
    id: 'replaceProductSegments',
    at: 'PUT /v1/products/{productId}/segments',
    revises: 'getProduct',
    scope: 'products:write',
    body: {
      schema: bodyObject({
        // The specification sets no limit here; 1,000 is our own.
        segmentIds: Type.Array(anyIdInBody, {
          maxItems: 1000,
          description: "segments of the product's site; a repeated id counts once; [] = none",
        }),
      }),
      malformed: 'invalid_segments_body',
      example: { segmentIds: [301, 302] },
    },
    answers: { 200: ProductSegments },
    refuses: ['product_not_found', 'invalid_segment_ids', 'audit_unavailable'],
    says: 'Replaces all segments of a product.',
    agents: { idempotent: true, destructive: true },
  }),
}
