import { isDeepStrictEqual } from 'node:util'
import { breaksConstraint, type Transaction } from '../../database/database.ts'
import { columnList, insertRows, pick, updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { foldForUniqueness, nameFault } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import {
  addressColumns,
  addressFields,
  divisionAddressRow,
  divisionAddressFault,
  tidyDivisionAddress,
  type DivisionAddress,
  type DivisionAddressFault,
} from './division-address.ts'
import { parentRefusal, type ParentRefusal } from './division-tree.ts'

/**
 * Creates and changes the divisions of a site. Staff set a division's postal address (`division-address.ts`). Partners
 * neither see nor set it, but their changes may remove it.
 *
 * Every write to a site's divisions locks the site's row first, so that what it read about the tree and the codes is
 * still true when it writes, and writers cannot deadlock. Readers do not wait, and neither do rows that refer to the
 * site.
 */

/** What may be changed later. */
export type DivisionFields = { name: string; code: string; parentId: number | null; active: boolean }

/** What only staff change. */
export type StaffDivisionFields = { taxExempt: boolean; auditSalesTaxForTerms: boolean }

/** `address`: required on a site that stores addresses, and refused on any other */
export type NewDivision = Omit<DivisionFields, 'active'> & { siteId: number; address?: DivisionAddress | undefined }

const lengthMax = 100

type NotUsable = { refused: 'division_not_usable'; detail: string }

function unusable({ name, code }: Partial<DivisionFields>): NotUsable | undefined {
  const detail =
    (name === undefined ? undefined : nameFault('name', name, lengthMax)) ??
    (code === undefined ? undefined : nameFault('code', code, lengthMax))
  return detail === undefined ? undefined : { refused: 'division_not_usable', detail }
}

type CodeConflict = { refused: 'division_code_conflict' }

/** Creates an active division; its country and supplier are its site's (DIV-11, DIV-12). */
export async function createDivision(
  tx: Transaction,
  change: Change,
  division: NewDivision,
): Promise<
  | Done<{ divisionId: number }>
  | { refused: 'site_stores_addresses' | 'site_stores_no_addresses' }
  | NotUsable
  | CodeConflict
  | DivisionAddressFault
  | ParentRefusal
> {
  const { siteId, name, code, parentId } = division
  const address = division.address ? tidyDivisionAddress(division.address) : null
  const fault = unusable(division) ?? (address && divisionAddressFault(address))
  if (fault) return fault
  const site = await tx.row<{ countryCode: string; supplierCode: string; storesDivisionAddresses: boolean }>(sql`
    select country_code, supplier_code, stores_division_addresses from site
    where site_id = ${siteId}
    for no key update`)
  if (!site) throw new Error(`site ${siteId} does not exist`)
  const { countryCode, supplierCode, storesDivisionAddresses } = site
  if (storesDivisionAddresses && !address) return { refused: 'site_stores_addresses' }
  if (!storesDivisionAddresses && address) return { refused: 'site_stores_no_addresses' }
  const refusal = parentId === null ? undefined : await parentRefusal(tx, siteId, parentId, null)
  if (refusal) return refusal

  const row = {
    siteId,
    name,
    code,
    codeFolded: foldForUniqueness(code),
    parentId,
    countryCode,
    supplierCode,
    ...divisionAddressRow(address),
    createdOn: change.now,
    updatedOn: change.now,
  }
  return unlessCodeConflicts(async () => {
    const [created] = await insertRows<{ divisionId: number }>(tx, 'division', [row], ['divisionId'])
    const { divisionId } = created!
    await recordAudit(tx, change, {
      action: 'division.created',
      subject: { kind: 'division', id: divisionId },
      siteId,
      detail: { name, code, parentId },
    })
    return { done: { divisionId } }
  })
}

const changeableFields = [
  'name',
  'code',
  'parentId',
  'active',
  'taxExempt',
  'auditSalesTaxForTerms',
] as const satisfies readonly (keyof (DivisionFields & StaffDivisionFields))[]

type StoredDivision = DivisionFields &
  StaffDivisionFields &
  Record<(typeof addressColumns)[keyof DivisionAddress], string | null>

/**
 * Changes the given fields of a division on one of the sites and leaves the others as they are. Every call stores the
 * whole division, and a site without division addresses stores it without one (DIV-18); the audit record names the
 * address fields that this cleared (DIV-19).
 */
export async function updateDivision(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  divisionId: number,
  wish: Partial<DivisionFields & StaffDivisionFields>,
): Promise<
  | Done
  | { refused: 'division_not_found' | 'division_vanished' | 'parent_is_self' }
  | NotUsable
  | CodeConflict
  | ParentRefusal
> {
  const fault = unusable(wish)
  if (fault) return fault
  const site = await tx.row<{ siteId: number; storesDivisionAddresses: boolean }>(sql`
    select site.site_id, site.stores_division_addresses
    from division
    join site on site.site_id = division.site_id
    where division.division_id = ${divisionId} and division.site_id = any(${siteIds}::int[])
    for no key update of site`)
  if (!site) return { refused: 'division_not_found' }
  if (wish.parentId === divisionId) return { refused: 'parent_is_self' }
  // From here on the site's writers wait for one another, so statements share round trips.
  const [division, refusal] = await Promise.all([
    tx.row<StoredDivision>(sql`
      select ${columnList(changeableFields)}, ${columnList(Object.values(addressColumns))}
      from division where division_id = ${divisionId} and site_id = ${site.siteId}
      for no key update`),
    wish.parentId ? parentRefusal(tx, site.siteId, wish.parentId, divisionId) : undefined,
  ])
  if (!division) return { refused: 'division_vanished' }
  const before = pick(division, changeableFields)
  const after = pick({ ...division, ...wish }, changeableFields)
  if (refusal && after.parentId !== before.parentId) return refusal

  const codeFolded = foldForUniqueness({ ...division, ...wish }.code)
  const keepsAddress = site.storesDivisionAddresses
  const filled = addressFields.filter((field) => division[addressColumns[field]] !== null)
  // Every call is audited (DIV-19), but one that changes nothing leaves the row as it is.
  const cleared = keepsAddress ? [] : filled
  const isChange = cleared.length > 0 || !isDeepStrictEqual(before, after)
  return unlessCodeConflicts(async () => {
    await Promise.all([
      isChange &&
        updateRows(tx, 'division', 'divisionId', [
          {
            divisionId,
            ...after,
            codeFolded,
            ...(keepsAddress ? {} : divisionAddressRow(null)),
            updatedOn: change.now,
          },
        ]),
      recordAudit(tx, change, {
        action: 'division.updated',
        subject: { kind: 'division', id: divisionId },
        siteId: site.siteId,
        detail: { before, after, addressFieldsCleared: cleared },
      }),
    ])
    return { done: {} }
  })
}

async function unlessCodeConflicts<Result>(write: () => Promise<Result>): Promise<Result | CodeConflict> {
  try {
    return await write()
  } catch (error) {
    if (breaksConstraint(error, 'division_code_unique_on_site')) return { refused: 'division_code_conflict' }
    throw error
  }
}
