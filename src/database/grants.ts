import pg from 'pg'
import type { Environment } from '../vocabulary/environment.ts'

/**
 * What the service's role may do with each table, and nothing else: it owns none and changes no schema. What is meant to
 * stay can neither be changed nor deleted, whatever statement gets into the service. `test/house/tables.test.ts` holds
 * the list against the statements of the program.
 */
export const grants: Readonly<Record<string, string>> = {
  migration: 'select',
  service_key: 'select, insert, update, delete',
  demo_key: 'select',
  sandbox_database: 'select',

  site: 'select, insert, update',
  partner: 'select, insert, update',
  partner_site: 'select, insert, delete',
  app_client: 'select, insert, update, delete',
  person_key: 'select, insert, update, delete',
  erasure: 'select, insert, update',
  revoked_token: 'select, insert, delete',
  partner_certificate: 'select, insert, update',
  partner_quota: 'select, insert, update, delete',

  division: 'select, insert, update',
  site_user: 'select, insert, update',
  user_address: 'select, insert, update, delete',
  user_segment: 'select, insert, delete',
  segment: 'select, insert, update, delete',
  segment_rule: 'select, insert, delete',

  credit_account: 'select, insert, update',
  credit_adjustment: 'select, insert, update (note)',

  product: 'select, insert, update, delete',
  product_segment: 'select, insert, delete',
  product_image: 'select, insert, update, delete',
  product_discount: 'select, insert, delete',
  variant: 'select, insert, update, delete',
  price_break: 'select, insert, delete',
  stock_movement: 'select, insert',
  stock_shelf: 'select, insert, delete',
  stock_count: 'select, insert, update',
  stock_count_row: 'select, insert, update',
  product_search: 'select, insert, update',
  search_word: 'select, insert',
  order_search_word: 'select, insert, delete',

  fulfilment_center: 'select, insert, update, delete',
  shipping_zone: 'select, insert, delete',
  shipping_service: 'select, insert, update, delete',
  shipping_rate: 'select, insert, delete',
  tax_rate: 'select, insert, delete',

  reason: 'select, insert, update, delete',
  orders: 'select, insert, update',
  order_line: 'select, insert, update',
  invoice: 'select, insert',
  order_movement: 'select, insert',
  refund: 'select, insert, update (asked, comment)',
  refund_part: 'select, insert',
  goods_return: 'select, insert, update',
  reprint: 'select, insert, update (comment)',
  goods_return_line: 'select, insert',
  goods_return_receipt: 'select, insert',
  visible_order_line: 'select',
  order_decision: 'select, insert, update (comment)',
  order_note: 'select, insert, update',
  shipment: 'select, insert, update',
  shipment_line: 'select, insert, update, delete',
  shipment_package: 'select, insert',
  shipment_label: 'select, insert, update',
  proof_file: 'select, insert, update',
  proof_log_entry: 'select, insert',
  proof_comment: 'select, insert, delete',
  denial_reason_switched_off: 'select',
  artwork_reservation: 'select, insert, update, delete',
  print_file: 'select, insert, update (file_name, object_key, md5)',
  artwork_check: 'select, insert, update, delete',
  artwork_inspection: 'select, insert, update, delete',
  artwork_picture: 'select, insert, delete',
  artwork_waiver: 'select, insert, update (reason, subject, ended_on), delete',
  // locked, which takes the right to update
  stray_object: 'select, insert, update, delete',

  submission: 'select, insert, update',
  event: 'select, insert, update, delete',
  audit_record: 'select, insert',
  audit_seal: 'select, insert',
  audit_unsealed: 'select, insert, delete',
  webhook_endpoint: 'select, insert, update',
  webhook_delivery: 'select, insert, update, delete',
  request_log: 'select, insert',

  mail: 'select, insert, update, delete',
  bounced_address: 'select, insert, update, delete',

  partner_person: 'select, insert, update',
  password_reset_link: 'select, insert, delete',
  sign_in_client: 'select, insert, delete',
  sign_in_record: 'select, insert, update, delete',
  allowed_application: 'select, insert, update, delete',
  sign_in_attempts: 'select, insert, update, delete',
  staff_account: 'select, insert, update',
  staff_session: 'select, insert, update, delete',
  staff_sign_in_failure: 'select, insert, update, delete',
  staff_view: 'select, insert, update, delete',

  sandbox_clock: 'select',
  sandbox_order: 'select',
  sandbox_misbehaviour: 'select',
  sandbox_earned: 'select',
}

/** What comes on top in a sandbox, where a partner can start over. */
export const sandboxGrants: Readonly<Record<string, string>> = {
  sandbox_database: 'insert',
  orders: 'delete',
  order_line: 'delete',
  order_decision: 'delete',
  order_note: 'delete',
  invoice: 'delete',
  order_movement: 'delete',
  refund: 'delete',
  refund_part: 'delete',
  goods_return: 'delete',
  reprint: 'delete',
  goods_return_line: 'delete',
  goods_return_receipt: 'delete',
  shipment: 'delete',
  shipment_package: 'delete',
  shipment_label: 'delete',
  proof_file: 'delete',
  proof_log_entry: 'delete',
  print_file: 'delete',
  submission: 'delete',
  webhook_endpoint: 'delete',
  sandbox_clock: 'insert, update, delete',
  sandbox_order: 'insert, update, delete',
  sandbox_misbehaviour: 'insert, update, delete',
  sandbox_earned: 'insert, update',
}

/** They run with the owner's rights, for what no right on a table allows. */
const functionsOfTheOwner = [
  'make_request_log_day(date)',
  'drop_request_log_days(timestamptz)',
  'erase_unsealed_invoices(bigint[])',
]

/** What a service may do in this environment, each as `grant` has it: `select, insert on invoice`. */
export function rightsIn(environment: Environment): string[] {
  const lists = environment === 'SANDBOX' ? [grants, sandboxGrants] : [grants]
  return lists.flatMap(Object.entries).map(([table, rights]) => `${rights} on ${table}`)
}

/**
 * The statements that leave a role with these rights and no others, in the schema that the migrations write.
 * @param rights as `rightsIn` has them
 */
export function grantStatements(role: string, rights: readonly string[]): string {
  const to = pg.escapeIdentifier(role)
  return [
    `revoke all on all tables in schema public from ${to};`,
    ...rights.map((right) => `grant ${right} to ${to};`),
    // To draw numbers, not to set them back.
    `grant usage on all sequences in schema public to ${to};`,
    `grant execute on function ${functionsOfTheOwner.join(', ')} to ${to};`,
  ].join('\n')
}
