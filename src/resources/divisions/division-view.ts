import type { Static } from 'typebox'
import { sqlText } from '../../database/sql.ts'
import type { Division } from './contract.ts'

/** The allow-list between the stored division and the published one; its postal address stays inside (DIV-09). */
export const divisionColumns = sqlText`
  division.division_id, division.site_id, division.name, division.code, division.parent_id, division.active,
  division.tax_exempt, division.audit_sales_tax_for_terms, division.created_on, division.updated_on`

export type DivisionRow = {
  divisionId: number
  siteId: number
  name: string
  code: string
  parentId: number | null
  active: boolean
  taxExempt: boolean
  auditSalesTaxForTerms: boolean
  createdOn: string
  updatedOn: string
}

export function divisionView(row: DivisionRow): Static<typeof Division> {
  return {
    divisionId: row.divisionId,
    siteId: row.siteId,
    name: row.name,
    code: row.code,
    parentId: row.parentId,
    active: row.active,
    taxExempt: row.taxExempt,
    auditSalesTaxForTerms: row.auditSalesTaxForTerms,
    createdOn: row.createdOn,
    updatedOn: row.updatedOn,
  }
}
