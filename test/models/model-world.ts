import { sql } from '../../src/database/sql.ts'
import type { TestService } from '../world/service.ts'
import type { AccountModel, ModelDivision, ModelUser } from './account-model.ts'
import type { ModelProduct } from './catalog-model.ts'

/**
 * Creates fresh records for each run, and models in the same initial state: three products of the main site (stocked, made
 * on demand, and a share), the share's master on the second site, two users and a chain of divisions.
 */
export type World = AccountModel & {
  /** makes this run's usernames, addresses and codes unique */
  run: string
  siteId: number
  products: ModelProduct[]
  /** from sites outside the grant, or from other granted sites */
  outside: { productId: string; userId: number; divisionId: number; segmentIds: readonly number[] }
}

let runs = 0
/** Higher than any number in the demo data. */
const firstNumber = 800_000
const numbersPerRun = 20

export async function modelWorld({ production, manifest }: TestService): Promise<World> {
  const { statements } = production.database
  const { main, second } = manifest.sites
  const { segments, foreign } = manifest.fixtures
  const [, byDomain, byDivision] = segments.main
  const run = `run${++runs}`
  const first = firstNumber + runs * numbersPerRun
  const divisions: ModelDivision[] = [0, 1, 2].map((index) => ({
    divisionId: first + index,
    name: `Division ${index}`,
    code: `${run}-${index}`,
    parentId: index === 0 ? null : first + index - 1,
    active: true,
  }))
  const users: ModelUser[] = [0, 1].map((index) => ({
    userId: first + index,
    username: `${run}-user-${index}`,
    email: `${run}-user-${index}@plain.example`,
    firstName: 'First',
    company: null,
    active: true,
    divisionId: null,
    allSegmentsVisible: index === 1,
    segments: new Map(),
  }))
  const product = (index: number, changes: Partial<ModelProduct>): ModelProduct => ({
    productId: `${changes.master ? 'SLS' : 'SLO'}_${first + index}`,
    visibility: 'PUBLIC',
    requiresApproval: false,
    minQuantity: null,
    maxQuantity: null,
    overrideDisplay: null,
    description: null,
    metaDescription: null,
    metaKeywords: null,
    master: null,
    isStock: false,
    attributeNames: [],
    variants: [],
    images: [],
    segmentIds: [],
    siteSegmentIds: segments.main,
    ...changes,
  })
  const variant = (index: number, weightUnitBehind: string, changes: object = {}) => ({
    variantId: first + index,
    attribute1Choice: null,
    attribute2Choice: null,
    location: null,
    weight: null,
    weightUnit: null,
    weightUnitBehind,
    ...changes,
  })
  const image = (index: number) => ({
    imageId: first + index,
    sequence: 0,
    primary: index === 0 || index === 4,
    imageAlt: null,
  })
  const master = product(0, {
    description: 'Of the master',
    isStock: true,
    siteSegmentIds: segments.second,
    attributeNames: ['Color'],
    variants: [variant(0, 'KG', { weight: '2', weightUnit: 'KG' })],
    images: [image(4)],
  })
  const products = [
    master,
    product(1, {
      isStock: true,
      attributeNames: ['Color', 'Size'],
      variants: [variant(1, 'OZ'), variant(2, 'OZ')],
      images: [0, 1, 2].map(image),
    }),
    product(2, { description: 'Printed', images: [image(3)] }),
    product(3, { master, overrideDisplay: false, isStock: true, variants: [variant(3, 'KG')] }),
  ]
  // Each entry holds the rows of one table, in the order foreign keys require.
  await statements.rows(sql`
    insert into division (division_id, site_id, parent_id, name, code, code_folded, country_code, supplier_code,
      created_on, updated_on)
    select (each->>'divisionId')::int, ${main}::int, (each->>'parentId')::int, each->>'name', each->>'code',
      lower(each->>'code'), 'US', 'S', now(), now()
    from json_array_elements(${JSON.stringify(divisions)}::json) each`)
  await statements.rows(sql`
    insert into segment_rule (site_id, segment_id, email_domain, division_id)
    values (${main}, ${byDomain}, ${`${run}.example`}, null), (${main}, ${byDivision}, null, ${first + 1})`)
  await statements.rows(sql`
    insert into site_user (user_id, site_id, username, username_folded, email, email_folded, first_name,
      all_segments_visible, created_on, updated_on)
    select (each->>'userId')::int, ${main}::int, each->>'username', each->>'username', each->>'email', each->>'email',
      each->>'firstName', (each->>'allSegmentsVisible')::boolean, now(), now()
    from json_array_elements(${JSON.stringify(users)}::json) each`)
  await statements.rows(sql`
    insert into product (product_number, kind, site_id, master_number, override_display, name, code, service_type,
      artwork_source, description, attribute_names, created_on, updated_on)
    select substr(each->>'productId', 5)::int, left(each->>'productId', 3),
      case when ordinal = 1 then ${second}::int else ${main}::int end, substr(each->'master'->>'productId', 5)::int,
      (each->>'overrideDisplay')::boolean, 'Model product', ${run} || '-' || ordinal,
      case when (each->>'isStock')::boolean then 'STOCK' else 'POD' end, 'NONE', each->>'description',
      array(select json_array_elements_text(each->'attributeNames')), now(), now()
    from json_array_elements(${JSON.stringify(products)}::json) with ordinality as listed (each, ordinal)`)
  await statements.rows(sql`
    insert into variant (variant_id, site_id, product_number, master_variant_id, weight, weight_unit, created_on, updated_on)
    select (each->>'variantId')::int, product.site_id, product.product_number,
      case when product.master_number is not null then ${first}::int end, (each->>'weight')::numeric, each->>'weightUnit',
      now(), now()
    from json_array_elements(${JSON.stringify(products)}::json) listed
    join product on product.product_number = substr(listed->>'productId', 5)::int
    cross join json_array_elements(listed->'variants') each
    order by 1`)
  await statements.rows(sql`
    insert into product_image (image_id, site_id, product_number, image_path, is_primary)
    select (each->>'imageId')::int, site_id, product_number, 'model.png', (each->>'primary')::boolean
    from json_array_elements(${JSON.stringify(products)}::json) listed
    join product on product.product_number = substr(listed->>'productId', 5)::int
    cross join json_array_elements(listed->'images') each`)
  return {
    run,
    siteId: main,
    products,
    users,
    divisions,
    siteSegmentIds: segments.main,
    rules: [
      { segmentId: byDomain, applies: ({ email }) => email.toLowerCase().endsWith(`@${run}.example`) },
      { segmentId: byDivision, applies: ({ divisionId }) => divisionId === first + 1 },
    ],
    outside: { ...foreign, segmentIds: [segments.second[0], foreign.segmentId] },
  }
}
