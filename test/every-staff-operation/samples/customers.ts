import { unique } from '../plain-names.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

const at = '/staff/v1/production'

export function newUser({ service }: Pick<SampleWorld, 'service'>) {
  const username = unique('sia.berg', '.')
  const siteId = service.manifest.sites.main
  return { siteId, username, email: `${username}@example.com`, firstName: 'Sia', lastName: 'Berg' }
}

async function user(world: SampleWorld): Promise<Sample & { path: { userId: number } }> {
  return { path: { userId: (await world.admin.post(`${at}/users`, newUser(world))).body.userId } }
}

export const userSamples: Samples = {
  listUsers: () => ({ query: 'username=p&active=true&limit=5' }),
  createUser: (world) => ({ body: newUser(world) }),
  readUser: () => ({}),
  updateUser: async (world) => ({ ...(await user(world)), body: { active: false, taxExempt: true } }),
  replaceUserSegments: async (world) => ({
    ...(await user(world)),
    body: { segmentIds: [world.service.manifest.fixtures.segments.main[0]] },
  }),
  setUserDiscount: async (world) => ({
    ...(await user(world)),
    body: { discount: { name: 'Regular customer', percent: '2.5' } },
  }),
}

export const someAddress = {
  addressType: 'SHIP_TO',
  firstName: 'Sia',
  lastName: 'Berg',
  address1: '500 Howard St',
  city: 'San Francisco',
  zip: '94105',
  countryCode: 'US',
  stateCode: 'CA',
}

async function address(world: SampleWorld): Promise<Sample & { path: { userId: number; addressId: number } }> {
  const { path } = await user(world)
  const added = await world.admin.post(`${at}/users/${path.userId}/addresses`, someAddress)
  return { path: { ...path, addressId: added.body.id } }
}

export const addressSamples: Samples = {
  listUserAddresses: ({ service }) => ({ path: { userId: service.manifest.fixtures.users.withAddresses } }),
  addUserAddress: async (world) => ({ ...(await user(world)), body: someAddress }),
  replaceUserAddress: async (world) => ({ ...(await address(world)), body: { ...someAddress, city: 'Oakland' } }),
  removeUserAddress: address,
}

export const someDivisionAddress = {
  street: '12 Harbor Street',
  city: 'Albany',
  zip: '12207',
  country: 'US',
  state: 'NY',
}

async function division({ admin, service }: SampleWorld): Promise<Sample & { path: { divisionId: number } }> {
  const created = await admin.post(`${at}/divisions`, {
    siteId: service.manifest.sites.divisionAddresses,
    name: 'Albany branch',
    code: unique('ALBANY'),
    address: someDivisionAddress,
  })
  return { path: { divisionId: created.body.divisionId } }
}

export const divisionSamples: Samples = {
  listDivisions: () => ({ query: 'root=true&limit=5' }),
  createDivision: ({ service }) => ({
    body: { siteId: service.manifest.sites.main, name: 'Field sales', code: unique('FIELD-SALES') },
  }),
  readDivision: () => ({}),
  updateDivision: async (world) => ({ ...(await division(world)), body: { active: false, taxExempt: true } }),
  setDivisionAddress: async (world) => ({ ...(await division(world)), body: { ...someDivisionAddress, city: 'Troy' } }),
}

async function segment({ admin, service }: SampleWorld): Promise<Sample & { path: { segmentId: number } }> {
  const created = await admin.post(`${at}/segments`, { siteId: service.manifest.sites.main, name: 'Sales team' })
  return { path: { segmentId: created.body.segmentId } }
}

export const segmentSamples: Samples = {
  listSegments: () => ({}),
  createSegment: ({ service }) => ({ body: { siteId: service.manifest.sites.main, name: 'Sales team' } }),
  readSegment: segment,
  renameSegment: async (world) => ({ ...(await segment(world)), body: { name: 'Sales and service' } }),
  deleteSegment: segment,
  addSegmentRule: async (world) => ({ ...(await segment(world)), body: { emailDomain: 'meridian-sales.example' } }),
  removeSegmentRule: async (world) => {
    const { path } = await segment(world)
    const rules = `${at}/segments/${path.segmentId}/rules`
    const added = await world.admin.post(rules, { divisionId: world.service.manifest.fixtures.divisions.root })
    return { path: { segmentRuleId: added.body.segmentRuleId } }
  },
}

async function account({ admin, service }: SampleWorld): Promise<Sample & { path: { creditAccountId: number } }> {
  const { sites, fixtures } = service.manifest
  const opened = await admin.post(`${at}/credit-accounts`, {
    siteId: sites.main,
    userId: fixtures.users.plain,
    amount: '10',
    reference: unique('GRANT-2026-03'),
  })
  return { path: { creditAccountId: opened.body.creditAccountId } }
}

export const creditSamples: Samples = {
  listCreditAccounts: () => ({}),
  openCreditAccount: ({ service: { manifest } }) => ({
    body: {
      siteId: manifest.sites.main,
      divisionId: manifest.fixtures.divisions.root,
      amount: '25.50',
      reference: unique('GRANT-2026-03'),
    },
  }),
  readCreditAccount: () => ({}),
  changeCreditTerms: async (world) => ({ ...(await account(world)), body: { stopsOn: '2099-01-01T00:00:00.000Z' } }),
  setCreditAccountActive: async (world) => ({ ...(await account(world)), body: { active: false } }),
  listCreditAdjustments: () => ({ query: 'limit=5' }),
  moveCredit: async (world) => ({
    ...(await account(world)),
    body: {
      type: 'MANUAL_CREDIT',
      amount: '5',
      reference: 'CARE-20871',
      note: 'Goodwill for the late parcel of order 1010001',
    },
  }),
}
