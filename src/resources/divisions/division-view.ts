import type { Static } from 'typebox'
import { sqlText } from '../../database/sql.ts'
import type { Division } from './contract.ts'

/** The allow-list between the stored division and the published one; its postal address stays inside (DIV-09). */
export const divisionColumns = sqlText`
  division.division_id, division.site_id, division.name, division.code, division.parent_id, division.active,
  division.tax_exempt, division.audit_sales_tax_for_terms, division.created_on, division.updated_on`

export type DivisionRow = {
  division_id: number
  site_id: number
  name: string
  code: string
  parent_id: number | null
  active: boolean
  tax_exempt: boolean
  audit_sales_tax_for_terms: boolean
  created_on: string
  updated_on: string
}

export function divisionView(row: DivisionRow): Static<typeof Division> {
  return {
    divisionId: row.division_id,
    siteId: row.site_id,
    name: row.name,
    code: row.code,
    parentId: row.parent_id,
    active: row.active,
    taxExempt: row.tax_exempt,
    auditSalesTaxForTerms: row.audit_sales_tax_for_terms,
    createdOn: row.created_on,
    updatedOn: row.updated_on,
  }
}
