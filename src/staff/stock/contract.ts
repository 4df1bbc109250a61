import { Type } from 'typebox'
import {
  bodyObject,
  described,
  filledLineUpTo,
  filledText,
  flag,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import {
  activeFilter,
  exactFilter,
  flagFilter,
  paged,
  pathParameters,
  siteIdFilter,
  wordFilter,
} from '../../contract/parameters.ts'
import { countRowsMax } from '../../platform/catalog/stock-counts.ts'
import { stockMovementKinds } from '../../vocabulary/stock-movement-kinds.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const signed = Type.Integer()

export const StockLevel = record('StockLevel', {
  variantId: int32,
  productId: text,
  productName: text,
  siteId: int32,
  sku: nullable(text),
  choices: Type.Array(text, { description: "the variant's choices of the product's attributes" }),
  location: nullable(described(text, 'the shelf it is kept on, in the words of staff')),
  stockQuantity: nullable(described(signed, 'what orders can still take; null = not tracked; below zero = owed')),
  reserved: described(whole, 'pieces that orders took and that have not left'),
  onHand: nullable(described(signed, 'pieces that should lie there: the stock and what is reserved')),
  onNoShelf: nullable(
    described(signed, 'those of them that lie on no shelf; below zero = more was put on shelves than there is'),
  ),
  shelves: Type.Array(record('ShelfLevel', { shelf: text, pieces: whole })),
  lowStockLevel: nullable(described(whole, 'the stock is low at this many pieces or fewer; null = never')),
  low: flag,
  backorderable: flag,
  active: flag,
})

export const StockMovement = record('StockMovement', {
  stockMovementId: longNumber,
  kind: described(
    oneOf(stockMovementKinds),
    'PICKED left a shelf with a shipment; its order took the pieces from the stock before',
  ),
  pieces: described(signed, 'negative = taken away'),
  stockAfter: nullable(described(signed, 'null = no longer tracked')),
  shelf: nullable(described(text, 'null = none')),
  orderNumber: nullable(longNumber),
  lineNumber: nullable(described(int32, "the line's position in its order")),
  reason: nullable(text),
  actorKind: described(text, 'PARTNER, STAFF, SYSTEM or SIMULATOR'),
  actorId: described(text, 'of STAFF: the username'),
  movedOn: instant,
})

const StockCountHead = {
  stockCountId: int32,
  siteId: nullable(described(int32, 'null = variants of any site')),
  note: nullable(text),
  begunBy: described(text, 'the username'),
  begunOn: instant,
  closedBy: nullable(text),
  closedOn: nullable(described(instant, 'null = still counting')),
  rowCount: described(whole, 'rows of the sheet'),
  countedCount: described(whole, 'rows that were counted'),
}
export const StockCountSummary = record('StockCountSummary', StockCountHead)

export const StockCountSheet = record('StockCountSheet', {
  ...StockCountHead,
  rows: Type.Array(
    record('StockCountRow', {
      variantId: int32,
      productName: text,
      sku: nullable(text),
      choices: Type.Array(text),
      shelf: nullable(described(text, 'null = the pieces that lie on no shelf')),
      expected: described(signed, 'pieces that should have lain there when the count began'),
      counted: nullable(described(whole, 'null = not counted')),
      difference: nullable(described(signed, 'what closing adds to the stock')),
    }),
  ),
})

const pieces = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'how many pieces' })
const shelf = filledLineUpTo(100)
const maybeShelf = Type.Optional(nullable(described(shelf, 'left out = on no shelf')))
const maybeReason = Type.Optional(nullable(described(filledText(500), 'such as the number of the delivery note')))
const StockNow = record('StockNow', { stockQuantity: nullable(signed) })
const ofVariant = '/staff/v1/{environment}/products/{productId}/variants/{variantId}'
const ofOne = ['product_not_found', 'variant_not_found', 'counted_at_master', 'stock_not_tracked'] as const

export const stock = staffSubject({
  name: 'Stock',
  says:
    'What lies on the shelves, and every movement that brought it there. Orders take their pieces when they are placed; the ' +
    'pieces leave their shelves with the shipment. The stock of a shared variant is counted at its master variant.',
  problems: {
    product_not_found: [404, 'No such product.'],
    variant_not_found: [404, 'The product has no such variant.'],
    site_not_found: [404, 'No such site.'],
    count_not_found: [404, 'No such count sheet.'],
    counted_at_master: [409, "A shared variant's stock is counted at its master variant: change it there."],
    stock_not_tracked: [409, 'The stock is not tracked. Send counted first.'],
    shelf_short: [409, 'Fewer pieces than that lie on the shelf.'],
    count_closed: [409, 'The count is closed. Begin another one.'],
    stock_below_zero: [422, 'The stock would fall below zero, and the variant is not backorderable.'],
    stock_out_of_range: [422, 'The stock would be out of range: at most 2,147,483,647 pieces.'],
    same_shelf: [422, 'The fields from and to must name two different shelves.'],
    nothing_to_count: [422, 'None of these variants has tracked stock there.'],
    count_too_large: [422, `A sheet has at most ${countRowsMax} rows. Begin several, by product or shelf.`],
    entry_not_usable: [422, 'An entry is not usable.'],
    difference_not_usable: [409, 'A difference cannot be taken over.'],
  },
  operations: {
    listStock: staffOperation({
      id: 'listStock',
      at: 'GET /staff/v1/{environment}/stock',
      permission: 'stock:read',
      query: {
        siteId: siteIdFilter,
        productId: { ...pathParameters.productId, says: 'only variants of this product' },
        sku: exactFilter(255, 'only variants with this SKU'),
        shelf: exactFilter(100, 'only variants with pieces on this shelf'),
        low: flagFilter('invalid_request', 'true = only variants whose stock is low'),
        belowZero: flagFilter('invalid_request', 'true = only variants that owe pieces'),
        active: activeFilter,
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'variants',
      answers: { 200: pageOf('StockPage', 'variants', StockLevel) },
      refuses: [],
      says: 'Lists variants across products with their stock, what orders have reserved, and their shelves.',
    }),
    listStockMovements: staffOperation({
      id: 'listStockMovements',
      at: `GET ${ofVariant}/stock-movements`,
      permission: 'stock:read',
      query: {
        kind: wordFilter(stockMovementKinds, 'invalid_request', 'only movements of this kind'),
        shelf: exactFilter(100, 'only movements of this shelf'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'movements',
      answers: { 200: pageOf('StockMovementPage', 'movements', StockMovement) },
      refuses: ['product_not_found', 'variant_not_found', 'counted_at_master'],
      says: 'Lists what changed the stock of a variant, the newest first. A page of a kind or a shelf looks at 1,000 movements, so it may have few or none: go on with its nextCursor.',
    }),
    checkStock: staffOperation({
      id: 'checkStock',
      at: 'GET /staff/v1/{environment}/stock-check',
      permission: 'stock:read',
      query: { siteId: siteIdFilter, ...paged({ default: 500, max: 1000 }) },
      answers: {
        200: record('StockCheck', {
          checked: described(whole, 'variants on this page'),
          differences: Type.Array(
            record('StockDifference', {
              variantId: int32,
              shelf: nullable(described(text, 'null = the stock of the variant as a whole')),
              pieces: described(signed, 'pieces in the books'),
              moved: described(signed, 'the sum of the movements'),
            }),
            { description: 'empty = all is well' },
          ),
          nextCursor: nullable(described(text, 'null = this was the last page')),
        }),
      },
      refuses: [],
      says: 'Adds up the movements of every variant and shelf, and names those whose stock is not that sum.',
    }),
    receiveStock: staffOperation({
      id: 'receiveStock',
      at: `POST ${ofVariant}/receive`,
      permission: 'stock:write',
      body: { schema: bodyObject({ pieces, shelf: maybeShelf, reason: maybeReason }) },
      answers: { 200: StockNow },
      refuses: [...ofOne, 'stock_out_of_range', 'stock_below_zero', 'shelf_short'],
      says: 'Adds pieces that arrived, on a shelf or on none.',
    }),
    scrapStock: staffOperation({
      id: 'scrapStock',
      at: `POST ${ofVariant}/scrap`,
      permission: 'stock:write',
      body: { schema: bodyObject({ pieces, shelf: maybeShelf, reason: described(filledText(500), 'what is wrong') }) },
      answers: { 200: StockNow },
      refuses: [...ofOne, 'stock_below_zero', 'stock_out_of_range', 'shelf_short'],
      says: 'Takes away pieces that cannot be sold.',
    }),
    moveStock: staffOperation({
      id: 'moveStock',
      at: `POST ${ofVariant}/move`,
      permission: 'stock:write',
      body: {
        schema: bodyObject({
          pieces,
          from: nullable(described(shelf, 'null = from no shelf')),
          to: nullable(described(shelf, 'null = to no shelf')),
          reason: maybeReason,
        }),
      },
      answers: { 200: StockNow },
      refuses: [...ofOne, 'same_shelf', 'stock_below_zero', 'stock_out_of_range', 'shelf_short'],
      says: 'Moves pieces from one shelf to another. The stock stays.',
    }),
    beginStockCount: staffOperation({
      id: 'beginStockCount',
      at: 'POST /staff/v1/{environment}/stock-counts',
      permission: 'stock:write',
      body: {
        schema: bodyObject({
          siteId: Type.Optional(nullable(described(int32, 'only variants of this site'))),
          variantIds: Type.Optional(
            nullable(Type.Array(int32, { minItems: 1, maxItems: 1000, description: 'only these variants' })),
          ),
          shelf: Type.Optional(nullable(described(shelf, 'only what lies on this shelf'))),
          note: Type.Optional(nullable(filledText(500))),
        }),
      },
      answers: { 201: StockCountSheet },
      refuses: ['site_not_found', 'nothing_to_count', 'count_too_large'],
      says: 'Begins a count: notes what should lie there now, shelf by shelf.',
    }),
    listStockCounts: staffOperation({
      id: 'listStockCounts',
      at: 'GET /staff/v1/{environment}/stock-counts',
      permission: 'stock:read',
      query: {
        open: flagFilter('invalid_request', 'only counts that are open (true) or closed (false)'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'stockCounts',
      answers: { 200: pageOf('StockCountPage', 'stockCounts', StockCountSummary) },
      refuses: [],
      says: 'Lists count sheets, the newest first.',
    }),
    readStockCount: staffOperation({
      id: 'readStockCount',
      at: 'GET /staff/v1/{environment}/stock-counts/{stockCountId}',
      permission: 'stock:read',
      answers: { 200: StockCountSheet },
      refuses: ['count_not_found'],
      says: 'Shows a count sheet with what was expected, what was counted and the difference.',
    }),
    enterStockCount: staffOperation({
      id: 'enterStockCount',
      at: 'POST /staff/v1/{environment}/stock-counts/{stockCountId}/entries',
      permission: 'stock:write',
      body: {
        schema: bodyObject({
          entries: Type.Array(
            bodyObject({
              variantId: int32,
              shelf: Type.Optional(nullable(described(shelf, 'left out = what lies on no shelf'))),
              counted: nullable(
                Type.Integer({
                  minimum: 0,
                  maximum: 2_147_483_647,
                  description: 'pieces that lay there when the count began; null takes the entry back',
                }),
              ),
            }),
            { minItems: 1, maxItems: countRowsMax },
          ),
        }),
      },
      answers: { 200: StockCountSheet },
      refuses: ['count_not_found', 'count_closed', 'entry_not_usable'],
      says: 'Enters what was found. Of a row the last entry counts, and the stock stays until the count is closed.',
    }),
    closeStockCount: staffOperation({
      id: 'closeStockCount',
      at: 'POST /staff/v1/{environment}/stock-counts/{stockCountId}/close',
      permission: 'stock:write',
      answers: { 200: StockCountSheet },
      refuses: ['count_not_found', 'count_closed', 'difference_not_usable'],
      says: 'Adds the differences to the stock. What orders took since the count began stays taken, and rows without an entry stay.',
    }),
  },
})
