import { Type } from 'typebox'
import {
  anyInt32,
  bodyObject,
  described,
  filledText,
  flag,
  idInBody,
  nullable,
  oneOf,
  pageOf,
  patchBody,
  record,
  whole,
} from '../../contract/fields.ts'
import { activeFilter, paged, siteIdFilter, textFilter, wordFilter } from '../../contract/parameters.ts'
import { serviceTypes } from '../../vocabulary/product-kinds.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { maybeFurther, maybeNamed, named, variant } from './product-bodies.ts'
import { SegmentShown, StaffProduct, StaffProductDetail } from './product-records.ts'

export const catalog = staffSubject({
  name: 'Catalog',
  says:
    'Products, their variants and stock, their shares on other sites and the segments that see them. Prices and discounts ' +
    'stand under Prices, images under Images.',
  problems: {
    product_not_found: [404, 'No such product.'],
    site_not_found: [404, 'No such site.'],
    variant_not_found: [404, 'The product has no such variant.'],
    code_taken: [409, 'The site owns another product with this code.'],
    already_shared: [409, 'The product is shared to this site already.'],
    not_a_stock_product: [409, 'Only STOCK products have variants.'],
    variants_of_master: [409, "A shared product has its master's variants."],
    counted_at_master: [409, "A shared variant's pieces are counted at its master's."],
    stock_not_tracked: [409, 'The stock is not tracked: say what was counted first.'],
    pieces_owed: [409, 'Pieces are owed to back orders.'],
    product_not_usable: [422, 'A field of the product is not usable.'],
    variant_not_usable: [422, 'A field of the variant is not usable.'],
    limits_crossed: [422, 'maxQuantity cannot be below minQuantity.'],
    fulfilment_center_unknown: [422, 'There is no such fulfilment center.'],
    segment_not_on_site: [422, 'Some of the segments are not on the site.'],
    not_shareable: [422, 'Only a product a site owns can be shared, and to another site.'],
    currencies_differ: [422, 'The sites have different currencies.'],
    stock_below_zero: [422, 'There are not so many pieces, and none can be owed.'],
    stock_out_of_range: [422, 'That is more than can be counted.'],
  },
  operations: {
    listProducts: staffOperation({
      id: 'listProducts',
      at: 'GET /staff/v1/{environment}/products',
      permission: 'catalog:read',
      query: {
        siteId: siteIdFilter,
        serviceType: wordFilter(serviceTypes, 'invalid_service_type', 'only products of this kind'),
        active: activeFilter,
        q: textFilter(
          { lengthMax: 200, pattern: /\S/, malformed: 'invalid_query' },
          'searches one site as its partners do: best match first, one page, with siteId and without active and cursor',
        ),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'products',
      answers: { 200: pageOf('StaffProductPage', 'products', StaffProduct) },
      refuses: ['invalid_request'],
      says: 'Lists or searches products, inactive and hidden ones too.',
    }),
    createProduct: staffOperation({
      id: 'createProduct',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/products',
      permission: 'catalog:write',
      body: {
        schema: bodyObject({
          serviceType: described(oneOf(serviceTypes), 'fixed'),
          ...named,
          ...maybeFurther,
          variants: Type.Optional(Type.Array(bodyObject(variant), { maxItems: 200, description: 'STOCK only' })),
        }),
      },
      answers: { 201: StaffProductDetail },
      refuses: [
        'site_not_found',
        'product_not_usable',
        'code_taken',
        'fulfilment_center_unknown',
        'limits_crossed',
        'not_a_stock_product',
        'variant_not_usable',
      ],
      says: 'Creates a product the site owns, with its variants. It can be ordered once it has prices.',
    }),
    readProduct: staffOperation({
      id: 'readProduct',
      at: 'GET /staff/v1/{environment}/products/{productId}',
      permission: 'catalog:read',
      answers: { 200: StaffProductDetail },
      refuses: ['product_not_found'],
      says: 'Shows a product with its variants, prices, discounts, segments, images and shares.',
    }),
    changeProduct: staffOperation({
      id: 'changeProduct',
      at: 'PATCH /staff/v1/{environment}/products/{productId}',
      permission: 'catalog:write',
      body: {
        schema: patchBody({
          ...maybeNamed,
          ...maybeFurther,
          overrideDisplay: Type.Optional(described(flag, 'shared products only')),
        }),
      },
      answers: { 200: StaffProductDetail },
      refuses: ['product_not_found', 'product_not_usable', 'code_taken', 'fulfilment_center_unknown', 'limits_crossed'],
      says: 'Changes some fields of a product; a share has its own visibility, limits, texts and standing only.',
    }),
    shareProduct: staffOperation({
      id: 'shareProduct',
      at: 'POST /staff/v1/{environment}/products/{productId}/shares',
      permission: 'catalog:write',
      body: { schema: bodyObject({ siteId: idInBody }) },
      answers: { 201: StaffProductDetail },
      refuses: ['product_not_found', 'not_shareable', 'site_not_found', 'currencies_differ', 'already_shared'],
      says: 'Shares a product to another site, with a variant over each of its own and at its prices.',
    }),
    setProductSegments: staffOperation({
      id: 'setProductSegments',
      at: 'PUT /staff/v1/{environment}/products/{productId}/segments',
      permission: 'catalog:write',
      body: { schema: bodyObject({ segmentIds: Type.Array(anyInt32, { maxItems: 1000 }) }) },
      answers: { 200: record('AssignedSegments', { segments: Type.Array(SegmentShown) }) },
      refuses: ['product_not_found', 'segment_not_on_site'],
      says: 'Makes these, and no others, the segments that see a product while its visibility is SEGMENTS.',
    }),
    createVariant: staffOperation({
      id: 'createVariant',
      at: 'POST /staff/v1/{environment}/products/{productId}/variants',
      permission: 'catalog:write',
      body: { schema: bodyObject(variant) },
      answers: { 201: StaffProductDetail },
      refuses: ['product_not_found', 'not_a_stock_product', 'variants_of_master', 'variant_not_usable'],
      says: 'Adds a variant to a STOCK product, and to each of its shares. Its stock is not tracked until it is counted.',
    }),
    changeVariant: staffOperation({
      id: 'changeVariant',
      at: 'PATCH /staff/v1/{environment}/products/{productId}/variants/{variantId}',
      permission: 'catalog:write',
      body: { schema: patchBody(variant) },
      answers: { 200: StaffProductDetail },
      refuses: ['product_not_found', 'variant_not_found', 'variant_not_usable', 'counted_at_master', 'pieces_owed'],
      says: 'Changes some fields of a variant; null clears one.',
    }),
    adjustStock: staffOperation({
      id: 'adjustStock',
      at: 'POST /staff/v1/{environment}/products/{productId}/variants/{variantId}/stock',
      permission: 'catalog:write',
      body: {
        schema: bodyObject({
          pieces: Type.Optional(described(anyInt32, 'so many more, or less below zero')),
          counted: Type.Optional(
            nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'null = no longer tracked' })),
          ),
          reason: described(filledText(500), 'for the audit record'),
        }),
        check: ({ pieces, counted }: { pieces?: number; counted?: number | null }) =>
          (pieces === undefined) === (counted === undefined) ? 'Send either pieces or counted.' : undefined,
      },
      answers: { 200: record('StockCount', { stockQuantity: nullable(whole) }) },
      refuses: [
        'product_not_found',
        'variant_not_found',
        'counted_at_master',
        'stock_not_tracked',
        'pieces_owed',
        'stock_below_zero',
        'stock_out_of_range',
      ],
      says: 'Corrects how many pieces of a variant lie on the shelf: by so many, or to what was counted.',
    }),
  },
})
