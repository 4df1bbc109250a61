import type { Static } from 'typebox'
import { listedRecord, type View } from '../../database/view.ts'
import { Division } from './contract.ts'

/** What is published of a stored division; its postal address stays inside (DIV-09). */
export const divisionView: View<Static<typeof Division>> = {
  divisionId: 'division.division_id',
  siteId: 'division.site_id',
  name: 'division.name',
  code: 'division.code',
  parentId: 'division.parent_id',
  active: 'division.active',
  taxExempt: 'division.tax_exempt',
  auditSalesTaxForTerms: 'division.audit_sales_tax_for_terms',
  createdOn: 'division.created_on',
  updatedOn: 'division.updated_on',
}

export const divisionRecord = listedRecord(divisionView, Division)
