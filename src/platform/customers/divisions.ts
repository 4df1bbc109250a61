import { breaksConstraint, type Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import {
  divisionAddressFault,
  writeDivisionAddress,
  type DivisionAddress,
  type DivisionAddressFault,
} from './division-address.ts'
import { parentRefusal, type ParentRefusal } from './division-tree.ts'

/**
 * The divisions of a site: how one comes to be and how it changes. A division's postal address belongs to the platform:
 * staff set it (`division-address.ts`), partners neither see nor set it, they can only make it disappear.
 *
 * Whoever writes a site's divisions holds the site's row from the first statement on. What was found out about the tree
 * and the codes is then still true when the write follows, and no two writers wait for each other crosswise. Readers,
 * and rows that merely name the site, are not held up.
 */

/** What may be changed later. */
export type DivisionFields = { name: string; code: string; parentId: number | null; active: boolean }

/** What staff alone change. */
export type DivisionStanding = { taxExempt: boolean; auditSalesTaxForTerms: boolean }

/** `address`: needed on a site that stores them, and nowhere else */
export type NewDivision = Omit<DivisionFields, 'active'> & { siteId: number; address?: DivisionAddress | undefined }

/** Creates an active division; its country and supplier are its site's (DIV-11, DIV-12). */
export async function createDivision(
  database: Database,
  division: NewDivision,
  change: Change,
): Promise<
  | { divisionId: number }
  | { refused: 'site_stores_addresses' | 'site_stores_no_addresses' | 'division_code_conflict' }
  | DivisionAddressFault
  | ParentRefusal
> {
  const { siteId, name, code, parentId, address } = division
  const fault = address && divisionAddressFault(address)
  if (fault) return fault
  try {
    return await database.transaction(async (tx) => {
      const site = await tx.row<{
        countryCode: string
        supplierCode: string
        storesDivisionAddresses: boolean
      }>(sql`
        select country_code, supplier_code, stores_division_addresses from site
        where site_id = ${siteId}
        for no key update`)
      if (!site) throw new Error(`site ${siteId} does not exist`)
      if (site.storesDivisionAddresses && !address) return { refused: 'site_stores_addresses' }
      if (!site.storesDivisionAddresses && address) return { refused: 'site_stores_no_addresses' }
      const refusal = parentId === null ? undefined : await parentRefusal(tx, siteId, parentId, null)
      if (refusal) return refusal

      const created = await tx.row<{ divisionId: number }>(sql`
        insert into division (site_id, name, code, parent_id, country_code, supplier_code, created_on, updated_on)
        values (${siteId}, ${name}, ${code}, ${parentId}, ${site.countryCode}, ${site.supplierCode}, ${change.now},
          ${change.now})
        returning division_id`)
      const divisionId = created!.divisionId
      if (address) await writeDivisionAddress(tx, divisionId, address)
      await recordAudit(tx, change, {
        action: 'division.created',
        subject: { kind: 'division', id: divisionId },
        siteId,
        detail: { name, code, parentId },
      })
      return { divisionId }
    })
  } catch (error) {
    if (breaksConstraint(error, 'division_code_unique_on_site')) return { refused: 'division_code_conflict' }
    throw error
  }
}

type StoredDivision = DivisionFields & DivisionStanding & { addressFields: string[] }

/** Each of the nine, by its name in audit records, where it holds something. */
const heldAddressFields = sqlText`
  array_remove(array[
    case when address_company is not null then 'company' end,
    case when address_first_name is not null then 'firstName' end,
    case when address_last_name is not null then 'lastName' end,
    case when address_street is not null then 'street' end,
    case when address_street2 is not null then 'street2' end,
    case when address_city is not null then 'city' end,
    case when address_zip is not null then 'zip' end,
    case when address_country is not null then 'country' end,
    case when address_state is not null then 'state' end
  ], null)`

const clearedAddress = sqlText`
  address_company = null, address_first_name = null, address_last_name = null, address_street = null,
  address_street2 = null, address_city = null, address_zip = null, address_country = null, address_state = null,`

/**
 * Changes the given fields of a division on one of the sites and leaves the others as they are. The division is stored
 * anew whatever was asked, and a site that keeps no division addresses stores it without one (DIV-18); the audit record
 * says which address fields that emptied (DIV-19).
 */
export async function updateDivision(
  database: Database,
  siteIds: readonly number[],
  divisionId: number,
  wish: Partial<DivisionFields & DivisionStanding>,
  change: Change,
): Promise<
  | { divisionId: number }
  | { refused: 'division_not_found' | 'division_vanished' | 'parent_is_self' | 'division_code_conflict' }
  | ParentRefusal
> {
  try {
    return await database.transaction(async (tx) => {
      const site = await tx.row<{ siteId: number; storesDivisionAddresses: boolean }>(sql`
        select site.site_id, site.stores_division_addresses
        from division
        join site on site.site_id = division.site_id
        where division.division_id = ${divisionId} and division.site_id = any(${siteIds}::int[])
        for no key update of site`)
      if (!site) return { refused: 'division_not_found' }
      if (wish.parentId === divisionId) return { refused: 'parent_is_self' }
      // From here on a site's writers wait for one another: what can travel together does.
      const [division, refusal] = await Promise.all([
        tx.row<StoredDivision>(sql`
          select name, code, parent_id, active, tax_exempt,
            audit_sales_tax_for_terms, ${heldAddressFields} as address_fields
          from division where division_id = ${divisionId} and site_id = ${site.siteId}
          for no key update`),
        wish.parentId ? parentRefusal(tx, site.siteId, wish.parentId, divisionId) : undefined,
      ])
      if (!division) return { refused: 'division_vanished' }
      const next = { ...division, ...wish }
      if (refusal && next.parentId !== division.parentId) return refusal

      const keepsAddress = site.storesDivisionAddresses
      await Promise.all([
        tx.rows(sql`
          update division
          set ${keepsAddress ? nothing : clearedAddress} name = ${next.name}, code = ${next.code},
            parent_id = ${next.parentId}, active = ${next.active}, tax_exempt = ${next.taxExempt},
            audit_sales_tax_for_terms = ${next.auditSalesTaxForTerms}, updated_on = ${change.now}
          where division_id = ${divisionId} and site_id = ${site.siteId}`),
        recordAudit(tx, change, {
          action: 'division.updated',
          subject: { kind: 'division', id: divisionId },
          siteId: site.siteId,
          detail: {
            before: fieldsOf(division),
            after: fieldsOf(next),
            addressFieldsCleared: keepsAddress ? [] : division.addressFields,
          },
        }),
      ])
      return { divisionId }
    })
  } catch (error) {
    if (breaksConstraint(error, 'division_code_unique_on_site')) return { refused: 'division_code_conflict' }
    throw error
  }
}

function fieldsOf(division: DivisionFields & DivisionStanding): DivisionFields & DivisionStanding {
  const { name, code, parentId, active, taxExempt, auditSalesTaxForTerms } = division
  return { name, code, parentId, active, taxExempt, auditSalesTaxForTerms }
}
