import { Type } from 'typebox'
import {
  anyIdInBody,
  anyInt32,
  bodyObject,
  described,
  filledLineUpTo,
  filledText,
  flag,
  idInBody,
  nullable,
  oneOf,
  pageOf,
  patchBody,
  productId,
  record,
  whole,
} from '../../contract/fields.ts'
import { activeFilter, flagFilter, paged, siteIdFilter, textFilter, wordFilter } from '../../contract/parameters.ts'
import { serviceTypes } from '../../vocabulary/product-kinds.ts'
import { priceRowsMax } from '../../platform/catalog/price-tables.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { priceBreak, pricesNotUsable } from '../prices/price-bodies.ts'
import { maybeFurther, maybeNamed, named, variant } from './product-bodies.ts'
import { productWarningList, SegmentShown, StaffProduct, StaffProductDetail } from './product-records.ts'

const archivedFilter = flagFilter('invalid_request', 'true = only archived ones; left out = all others')

export const catalog = staffSubject({
  name: 'Catalog',
  says:
    'Products, their variants and stock, their shares on other sites and the segments that see them. Prices and discounts ' +
    'are under Prices, images under Images.',
  problems: {
    product_not_found: [404, 'No such product.'],
    site_not_found: [404, 'No such site.'],
    variant_not_found: [404, 'The product has no such variant.'],
    code_taken: [409, 'The site owns another product with this code.'],
    already_shared: [409, 'The product is already shared to this site.'],
    not_a_stock_product: [409, 'Only STOCK products have variants.'],
    variants_of_master: [409, "A shared product has its master's variants: add the variant to the master."],
    counted_at_master: [409, "A shared variant's stock is counted at its master variant: change it there."],
    stock_not_tracked: [409, 'The stock is not tracked. Send counted first.'],
    in_use: [409, 'Other records name it.'],
    pieces_owed: [409, 'The stock is below zero: pieces are owed to back orders.'],
    shelf_short: [409, 'Fewer pieces than that lie on the shelf.'],
    product_not_usable: [422, 'A field of the product is not usable.'],
    variant_not_usable: [422, 'A field of the variant is not usable.'],
    limits_crossed: [422, 'The field maxQuantity must not be less than minQuantity.'],
    fulfilment_center_unknown: [422, 'There is no such fulfilment center.'],
    segment_not_on_site: [422, 'Every segment must be on the site.'],
    not_shareable: [422, 'Only a product that a site owns can be shared, and only to another site.'],
    currencies_differ: [422, 'The sites have different currencies.'],
    prices_not_usable: pricesNotUsable,
    stock_below_zero: [422, 'The stock would fall below zero, and the variant is not backorderable.'],
    stock_out_of_range: [422, 'The stock would be out of range: at most 2,147,483,647 pieces.'],
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
        archived: archivedFilter,
        q: textFilter(
          { lengthMax: 200, pattern: /\S/, form: 'text, not blank,', malformed: 'invalid_query' },
          'one page, best match first, so without cursor: on one site as its partners search; on all sites, or with active or archived, by words of the name and the beginning of the code',
        ),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'products',
      answers: { 200: pageOf('StaffProductPage', 'products', StaffProduct) },
      refuses: ['invalid_request'],
      says: 'Lists or searches products, including inactive and hidden ones; archived ones only when asked for.',
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
          variants: Type.Optional(
            Type.Array(
              bodyObject({
                ...variant,
                counted: Type.Optional(
                  Type.Integer({
                    minimum: 0,
                    maximum: 2_147_483_647,
                    description: 'pieces in stock; left out = not tracked',
                  }),
                ),
              }),
              { maxItems: 200, description: 'STOCK only' },
            ),
          ),
          priceBreaks: Type.Optional(
            Type.Array(bodyObject(priceBreak), {
              maxItems: priceRowsMax,
              description: 'quantities ascending; for all its variants; needs the permission prices:write',
            }),
          ),
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
        'prices_not_usable',
        'not_permitted',
      ],
      says: 'Creates a product that the site owns, with its variants, their stock and its prices: all of it, or nothing. It can be ordered once it has prices.',
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
      revises: 'readProduct',
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
      says: 'Changes some fields of a product. A share has only its visibility, limits, texts and status of its own.',
    }),
    shareProduct: staffOperation({
      id: 'shareProduct',
      at: 'POST /staff/v1/{environment}/products/{productId}/shares',
      permission: 'catalog:write',
      body: { schema: bodyObject({ siteId: idInBody }) },
      answers: { 201: StaffProductDetail },
      refuses: ['product_not_found', 'not_shareable', 'site_not_found', 'currencies_differ', 'already_shared'],
      says: "Shares a product to another site. The share gets a variant for each of the product's, and has its prices.",
    }),
    setProductSegments: staffOperation({
      id: 'setProductSegments',
      at: 'PUT /staff/v1/{environment}/products/{productId}/segments',
      revises: 'readProduct',
      permission: 'catalog:write',
      body: { schema: bodyObject({ segmentIds: Type.Array(anyIdInBody, { maxItems: 1000 }) }) },
      answers: {
        200: record('AssignedSegments', { segments: Type.Array(SegmentShown), warnings: productWarningList }),
      },
      refuses: ['product_not_found', 'segment_not_on_site'],
      says: 'Replaces the segments that see a product while its visibility is SEGMENTS.',
    }),
    deleteProduct: staffOperation({
      id: 'deleteProduct',
      at: 'POST /staff/v1/{environment}/products/{productId}/delete',
      permission: 'catalog:write',
      answers: { 200: record('DeletedProduct', { productId }) },
      refuses: ['product_not_found', 'in_use'],
      says: 'Deletes a product that was never ordered, with its variants, prices, discounts and images.',
    }),
    archiveProduct: staffOperation({
      id: 'archiveProduct',
      at: 'POST /staff/v1/{environment}/products/{productId}/archive',
      permission: 'catalog:write',
      answers: { 200: StaffProductDetail },
      refuses: ['product_not_found'],
      says: 'Takes a product out of use for good: it is no longer active, and lists leave it out.',
    }),
    restoreProduct: staffOperation({
      id: 'restoreProduct',
      at: 'POST /staff/v1/{environment}/products/{productId}/restore',
      permission: 'catalog:write',
      answers: { 200: StaffProductDetail },
      refuses: ['product_not_found'],
      says: 'Brings an archived product back. It stays inactive until it is made active.',
    }),
    deleteVariant: staffOperation({
      id: 'deleteVariant',
      at: 'POST /staff/v1/{environment}/products/{productId}/variants/{variantId}/delete',
      permission: 'catalog:write',
      answers: { 200: StaffProductDetail },
      refuses: ['product_not_found', 'variants_of_master', 'variant_not_found', 'in_use'],
      says: 'Deletes a variant that was never ordered and has no stock, also from the shares.',
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
      revises: 'readProduct',
      permission: 'catalog:write',
      body: { schema: patchBody(variant) },
      answers: { 200: StaffProductDetail },
      refuses: ['product_not_found', 'variant_not_found', 'variant_not_usable', 'counted_at_master', 'pieces_owed'],
      says: 'Changes some fields of a variant; null clears one.',
    }),
    adjustStock: staffOperation({
      id: 'adjustStock',
      at: 'POST /staff/v1/{environment}/products/{productId}/variants/{variantId}/stock',
      permission: 'stock:write',
      body: {
        schema: bodyObject({
          pieces: Type.Optional(described(anyInt32, 'pieces to add; negative = to take away')),
          counted: Type.Optional(
            nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'null = no longer tracked' })),
          ),
          shelf: Type.Optional(
            nullable(described(filledLineUpTo(100), 'where the pieces lie; only with pieces; left out = on no shelf')),
          ),
          reason: described(filledText(500), 'for the audit record'),
        }),
        check: ({ pieces, counted, shelf }) => {
          if ((pieces === undefined) === (counted === undefined)) return 'Send either pieces or counted.'
          return pieces === undefined && typeof shelf === 'string' ? 'A shelf is counted by a count sheet.' : undefined
        },
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
        'shelf_short',
      ],
      says: 'Corrects the stock of a variant by a number of pieces, or to what was counted.',
    }),
  },
})
