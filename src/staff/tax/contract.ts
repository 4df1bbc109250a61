import { Type } from 'typebox'
import { bodyObject, decimal, described, flag, record, text, textUpTo } from '../../contract/fields.ts'
import { taxRowsMax } from '../../platform/pricing/tax-tables.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const Taxes = record('TaxTable', {
  taxes: Type.Array(
    record('TaxRate', {
      countryCode: text,
      stateCode: text,
      percent: decimal,
      shippingTaxed: described(flag, 'whether delivery is taxed'),
      handlingTaxed: described(flag, 'whether handling is taxed'),
    }),
  ),
})

export const taxRows = Type.Array(
  bodyObject({
    countryCode: textUpTo(2),
    stateCode: textUpTo(50),
    percent: Type.String({ maxLength: 20, description: 'at least 0 and below 100' }),
    shippingTaxed: Type.Optional(flag),
    handlingTaxed: Type.Optional(flag),
  }),
  { maxItems: taxRowsMax, description: 'each state once; other states have no tax' },
)

export const tax = staffSubject({
  name: 'Tax',
  says: 'The taxes of a site by state. A change applies to the next order; placed orders keep their taxes.',
  problems: {
    site_not_found: [404, 'No such site.'],
    taxes_not_usable: [422, 'A tax is not usable.'],
  },
  operations: {
    readTaxes: staffOperation({
      id: 'readTaxes',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/taxes',
      permission: 'tax:read',
      answers: { 200: Taxes },
      refuses: ['site_not_found'],
      says: 'Shows the taxes of a site by state.',
    }),
    replaceTaxes: staffOperation({
      id: 'replaceTaxes',
      at: 'PUT /staff/v1/{environment}/sites/{siteId}/taxes',
      revises: 'readTaxes',
      permission: 'tax:write',
      body: {
        schema: bodyObject({
          taxes: taxRows,
        }),
        bytesMax: 1_048_576,
      },
      answers: { 200: Taxes },
      refuses: ['taxes_not_usable', 'site_not_found'],
      says: 'Replaces all taxes of a site.',
    }),
  },
})
