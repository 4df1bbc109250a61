import type { Mutant } from './mutant.ts'

const drawingTest = 'src/platform/paperwork/drawing/drawing.test.ts'
const documentsTest = 'src/staff/documents/documents.test.ts'
const invoicesTest = 'src/staff/documents/invoices.test.ts'
const brandsTest = 'src/staff/brands/brands.test.ts'

export const paperwork: readonly Mutant[] = [
  {
    says: 'the spaces of a bar code are drawn, and its bars are not',
    in: 'src/documents/codes.ts',
    from: 'if (index % 2 === 0) path.push',
    to: 'if (index % 2 === 1) path.push',
    caughtBy: drawingTest,
  },
  {
    says: 'a QR code is mirrored',
    in: 'src/documents/codes.ts',
    from: 'const x = right - size + from * step',
    to: 'const x = right - (from + length) * step',
    caughtBy: drawingTest,
  },
  {
    says: 'a table has its head on its first sheet only',
    in: 'src/platform/paperwork/drawing/table.ts',
    from: '? below : 0))) head()',
    to: '? below : 0)))',
    caughtBy: drawingTest,
  },
  {
    says: 'a broken picture stops a ticket',
    in: 'src/platform/paperwork/drawing/sheets.ts',
    from: `  } catch {
    return undefined
  }`,
    to: `  } catch (error) {
    throw error
  }`,
    caughtBy: drawingTest,
  },
  {
    says: "a slip of a partner with a brand bears the site's name",
    in: 'src/platform/sites/brand.ts',
    from: 'coalesce(partner.brand_name, site.brand_name, site.name)',
    to: 'coalesce(site.brand_name, site.name)',
    caughtBy: documentsTest,
  },
  {
    says: 'a shipment is drawn under any order',
    in: 'src/staff/documents/handlers.ts',
    from: 'where shipment_number = ${shipmentNumber} and order_number = ${orderNumber}`)',
    to: 'where shipment_number = ${shipmentNumber} and ${orderNumber} > 0`)',
    caughtBy: documentsTest,
  },
  {
    says: 'held lines are picked',
    in: 'src/platform/paperwork/read-pick-list.ts',
    from: "if (row.isHeld) return 'on hold'",
    to: '',
    caughtBy: documentsTest,
  },
  {
    says: 'an invoice and its refund are the same document',
    in: 'src/platform/paperwork/invoices.ts',
    from: 'each.movementId > last.refundsTo',
    to: 'each.movementId < last.refundsTo',
    caughtBy: invoicesTest,
  },
  {
    says: 'credit that was given back is never due',
    in: 'src/platform/paperwork/invoices.ts',
    from: 'if (total.eq(zero) && credit.eq(zero)) return undefined',
    to: 'if (total.eq(zero)) return undefined',
    caughtBy: invoicesTest,
  },
  {
    says: 'two invoices at once ask for the same number',
    in: 'src/platform/paperwork/invoices.ts',
    from: 'await tx.row(sql`select from site where site_id = ${siteId} for no key update`)',
    to: '',
    caughtBy: invoicesTest,
  },
  {
    says: 'the taxes of several rates miss the tax of the order',
    in: 'src/platform/paperwork/read-statement.ts',
    from: 'rate === largest ? rate.amount.plus(missed) : rate.amount',
    to: 'rate.amount',
    caughtBy: invoicesTest,
  },
  {
    says: 'text on a brand is white on every colour',
    in: 'src/platform/sites/brand-rules.ts',
    from: "? '#ffffff' : '#000000'",
    to: "? '#ffffff' : '#ffffff'",
    caughtBy: brandsTest,
  },
  {
    says: 'a logo is kept as large as it came',
    in: 'src/platform/sites/logo-files.ts',
    from: ".resize({ width: widthMax, height: heightMax, fit: 'inside', withoutEnlargement: true })",
    to: '',
    caughtBy: brandsTest,
  },
]
