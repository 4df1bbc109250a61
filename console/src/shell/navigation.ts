import {
  IconBuildingFactory2,
  IconBuildingStore,
  IconCalendarEvent,
  IconChecklist,
  IconClipboardList,
  IconFlask,
  IconHeadset,
  IconId,
  IconPackages,
  IconShieldCheck,
  IconShoppingBag,
  IconTruckDelivery,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { Operation } from '../api/api.ts'

export type Place = {
  to: string
  name: string
  icon: typeof IconCalendarEvent
  /** who may not read it is not led there */
  reads: Operation
  /** the two keys that lead there */
  keys: string
  onlyIn?: 'sandbox'
}

/** Where people go, in the groups in which they think of it. */
export const navigation: readonly (readonly Place[])[] = [
  [
    { to: '/today', name: 'Today', icon: IconCalendarEvent, reads: 'readToday', keys: 'gt' },
    { to: '/orders', name: 'Orders', icon: IconClipboardList, reads: 'listOrders', keys: 'go' },
    { to: '/proofs', name: 'Proofs', icon: IconChecklist, reads: 'listLines', keys: 'gp' },
    { to: '/production', name: 'Production', icon: IconBuildingFactory2, reads: 'listLines', keys: 'gw' },
    { to: '/shipping', name: 'Shipping', icon: IconTruckDelivery, reads: 'listLines', keys: 'gs' },
  ],
  [
    { to: '/catalog', name: 'Catalog', icon: IconShoppingBag, reads: 'listProducts', keys: 'gc' },
    { to: '/stock', name: 'Stock', icon: IconPackages, reads: 'listStock', keys: 'gk' },
    { to: '/customers', name: 'Customers', icon: IconUsers, reads: 'listUsers', keys: 'gu' },
  ],
  [
    { to: '/partners', name: 'Partners', icon: IconUsersGroup, reads: 'listPartners', keys: 'ga' },
    { to: '/sites', name: 'Sites', icon: IconBuildingStore, reads: 'listSites', keys: 'gi' },
    { to: '/simulator', name: 'Sandbox', icon: IconFlask, reads: 'listPartners', keys: 'gx', onlyIn: 'sandbox' },
  ],
  [
    { to: '/support', name: 'Support', icon: IconHeadset, reads: 'listRequests', keys: 'gh' },
    { to: '/audit', name: 'Audit', icon: IconShieldCheck, reads: 'listAuditRecords', keys: 'gl' },
    { to: '/staff', name: 'Staff', icon: IconId, reads: 'listStaffAccounts', keys: 'gf' },
  ],
]

/** Pages and parts of pages below these, found by their names in the search. */
export const further: readonly Pick<Place, 'to' | 'name' | 'reads'>[] = [
  { to: '/onboarding', name: 'Onboarding', reads: 'createPartner' },
  { to: '/catalog/new', name: 'New product', reads: 'createProduct' },
  { to: '/catalog/files', name: 'Catalog: CSV files', reads: 'exportProducts' },
  { to: '/stock/counts', name: 'Stock counts', reads: 'listStockCounts' },
  { to: '/customers?tab=divisions', name: 'Divisions', reads: 'listDivisions' },
  { to: '/customers?tab=segments', name: 'Segments', reads: 'listSegments' },
  { to: '/customers?tab=credit', name: 'Credit accounts', reads: 'listCreditAccounts' },
  { to: '/customers/files', name: 'Customers: CSV files', reads: 'exportUsers' },
  { to: '/partners?tab=endpoints', name: 'Webhook endpoints', reads: 'listEndpoints' },
  { to: '/partners?tab=certificates', name: 'Certificates', reads: 'listAllCertificates' },
  { to: '/support?tab=submissions', name: 'Submissions', reads: 'listSubmissions' },
  { to: '/support?tab=deliveries', name: 'Failed webhooks', reads: 'listFailedDeliveries' },
  { to: '/support?tab=mails', name: 'Mail', reads: 'listMails' },
  { to: '/support?tab=bounced', name: 'Bounced addresses', reads: 'listBouncedAddresses' },
  { to: '/account', name: 'Your account', reads: 'readSession' },
]

/** What pages of single records read, by the beginning of their paths; the first that fits counts. */
const records: readonly (readonly [begins: string, reads: Operation])[] = [
  ['/orders/', 'readOrder'],
  ['/proofs/', 'listLines'],
  ['/catalog/new', 'createProduct'],
  ['/catalog/', 'readProduct'],
  ['/customers/divisions/', 'readDivision'],
  ['/customers/credit/', 'readCreditAccount'],
  ['/customers/segments/', 'readSegment'],
  ['/customers/', 'readUser'],
  ['/partners/', 'readPartner'],
  ['/sites/', 'readSite'],
  ['/fulfilment-centers/', 'listFulfilmentCenters'],
  ['/support/requests/', 'readRequest'],
  ['/support/submissions/', 'readSubmission'],
  ['/support/deliveries/', 'readDelivery'],
  ['/support/mails/', 'readMail'],
]

/** What a page of this environment reads, if it is one of those above: `/customers/20001` → `readUser`. */
export function readsOf(path: string): Operation | undefined {
  const [page = ''] = path.split('?')
  const record = records.find(([begins]) => page.startsWith(begins))
  return record?.[1] ?? [...navigation.flat(), ...further].find(({ to }) => to === page)?.reads
}
