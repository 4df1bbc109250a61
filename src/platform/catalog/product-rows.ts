import type { Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { ProductDefinition } from './product-definition.ts'
import type { ProductFields } from './products.ts'

/** Products on their way into their table, many in one statement. Amounts travel as text, and stay exact. */
export type WritableProduct = ProductDefinition &
  Omit<ProductFields, 'overrideDisplay'> & { overrideDisplay: boolean | null; active: boolean }

const given = sqlText`(
  place int, product_number bigint, name text, code text, artwork_source text, attribute_names text[],
  handling_fee numeric, taxable boolean, shippable boolean, digital_delivery boolean, requires_proof boolean,
  unit_weight_ounces numeric, turnaround_business_days int, fulfilment_center_id int, template_vendor text,
  template_id text, visibility text, requires_approval boolean, override_display boolean, min_quantity int,
  max_quantity int, description text, meta_description text, meta_keywords text, active boolean, service_type text
)`

function asJson(products: readonly (WritableProduct & { productNumber?: number; serviceType?: string })[]): string {
  return JSON.stringify(
    products.map((product, place) => ({
      place,
      product_number: product.productNumber,
      service_type: product.serviceType,
      name: product.name,
      code: product.code,
      artwork_source: product.artworkSource,
      attribute_names: product.attributeNames,
      handling_fee: product.handlingFee,
      taxable: product.taxable,
      shippable: product.shippable,
      digital_delivery: product.digitalDelivery,
      requires_proof: product.requiresProof,
      unit_weight_ounces: product.unitWeightOunces,
      turnaround_business_days: product.turnaroundBusinessDays,
      fulfilment_center_id: product.fulfilmentCenterId,
      template_vendor: product.templateVendor,
      template_id: product.templateId,
      visibility: product.visibility,
      requires_approval: product.requiresApproval,
      override_display: product.overrideDisplay,
      min_quantity: product.minQuantity,
      max_quantity: product.maxQuantity,
      description: product.description,
      meta_description: product.metaDescription,
      meta_keywords: product.metaKeywords,
      active: product.active,
    })),
  )
}

/** @returns the new numbers, by code; the caller sees to it that no code stands twice */
export async function insertProducts(
  tx: Transaction,
  siteId: number,
  products: readonly (WritableProduct & { serviceType: string })[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ productNumber: number; code: string }>(sql`
    insert into product (kind, site_id, service_type, name, code, artwork_source, attribute_names, handling_fee, taxable,
      shippable, digital_delivery, requires_proof, unit_weight_ounces, turnaround_business_days, fulfilment_center_id,
      template_vendor, template_id, visibility, requires_approval, min_quantity, max_quantity, description,
      meta_description, meta_keywords, active, created_on, updated_on)
    select 'SLO', ${siteId}::int, service_type, name, code, artwork_source, attribute_names, handling_fee, taxable,
      shippable, digital_delivery, requires_proof, unit_weight_ounces, turnaround_business_days, fulfilment_center_id,
      template_vendor, template_id, visibility, requires_approval, min_quantity, max_quantity, description,
      meta_description, meta_keywords, active, ${now}, ${now}
    from jsonb_to_recordset(${asJson(products)}::jsonb) as given ${given}
    order by place
    returning product_number, code`)
  return new Map(rows.map((row) => [row.code, row.productNumber]))
}

/** A share's row keeps the definition its master had when it was shared: nobody reads it. */
export async function updateProducts(
  tx: Transaction,
  products: readonly (WritableProduct & { productNumber: number })[],
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update product
    set name = given.name, code = given.code, artwork_source = given.artwork_source,
      attribute_names = given.attribute_names, handling_fee = given.handling_fee, taxable = given.taxable,
      shippable = given.shippable, digital_delivery = given.digital_delivery, requires_proof = given.requires_proof,
      unit_weight_ounces = given.unit_weight_ounces, turnaround_business_days = given.turnaround_business_days,
      fulfilment_center_id = given.fulfilment_center_id, template_vendor = given.template_vendor,
      template_id = given.template_id, visibility = given.visibility, requires_approval = given.requires_approval,
      override_display = given.override_display, min_quantity = given.min_quantity, max_quantity = given.max_quantity,
      description = given.description, meta_description = given.meta_description,
      meta_keywords = given.meta_keywords, active = given.active, updated_on = ${now}
    from jsonb_to_recordset(${asJson(products)}::jsonb) as given ${given}
    where product.product_number = given.product_number`)
}
