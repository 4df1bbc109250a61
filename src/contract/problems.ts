/**
 * The published problem codes: status and meaning, once. `code` is what clients branch on; the set is closed (VER-04),
 * and two codes (`route_not_found`, `method_not_allowed`) are this service's only additions to the specification's.
 */
const table = {
  invalid_cursor: [400, 'The cursor cannot be used here. Start again without it.'],
  invalid_site_id: [400, 'siteId must be a positive whole number naming a site granted to you.'],
  invalid_order_number: [400, 'The order number must be a positive whole number.'],
  invalid_item_number: [400, 'The item number must be a positive whole number.'],
  invalid_product_id: [400, 'A product id looks like SLO_123 or SLS_123.'],
  invalid_service_type: [400, 'serviceType must be STOCK or POD.'],
  invalid_query: [400, 'q must hold something to search for, in 200 characters at most.'],
  site_id_required_for_search: [400, 'A search with q needs siteId.'],
  cursor_not_supported_with_search: [400, 'A search answers one ranked set: send q without cursor.'],
  search_not_available: [400, 'Search is not available in this environment.'],
  updated_since_not_supported: [400, 'updatedSince is not supported: there is no change feed to poll.'],
  invalid_request: [400, 'The request is not valid.'],
  unknown_query_parameter: [400, 'A query parameter is not accepted here.'],
  invalid_submission_id: [400, 'The submission id must be a UUID.'],
  invalid_product_patch: [400, 'The product change is not valid.'],
  invalid_division_id: [400, 'A division id is a positive whole number of at most nine digits.'],
  invalid_credit_account_id: [400, 'A credit account id is a positive whole number of at most nine digits.'],
  invalid_active: [400, 'active must be true or false.'],
  invalid_adjustment_type: [400, 'type must be an upper-case movement code such as PRODUCT_DEBIT.'],
  invalid_user_id: [400, 'A user id is a positive whole number of at most nine digits.'],
  invalid_variant_patch: [400, 'The variant change is not valid.'],
  invalid_variant_id: [
    400,
    'A variant id is a positive whole number of at most nine digits; print-on-demand products have none.',
  ],
  invalid_image_patch: [400, 'The image change is not valid.'],
  invalid_image_id: [400, 'An image id is a positive whole number of at most nine digits.'],
  division_create_requires_address: [400, 'This site stores an address on every division, which this API cannot set.'],
  invalid_segment_ids: [400, "Every segment id must belong to the product's site."],
  invalid_segments_body: [400, 'The body must be {"segmentIds": [integer, …]}.'],
  monolith_rejected: [400, 'The platform did not accept the change.'],
  null_not_supported: [400, 'A field that cannot be cleared was sent as null.'],
  sls_null_backfills_master: [400, "null would copy the master's text into a shared product."],
  invalid_quantity: [400, 'quantity must be a positive whole number.'],
  invalid_shipping_quote_request: [400, 'The shipping quote request is not valid.'],
  invalid_token: [401, 'The credential is missing, expired or invalid.'],
  insufficient_scope: [403, 'Your credential does not carry the scope this operation needs.'],
  order_not_found: [404, 'No such order.'],
  order_item_not_found: [404, 'No such line on this order.'],
  product_not_found: [404, 'No such product.'],
  quote_product_not_found: [404, 'The product cannot be priced.'],
  template_not_found: [404, 'The product has no usable template.'],
  submission_not_found: [404, 'No such submission.'],
  image_not_found: [404, 'No such image on this product.'],
  division_not_found: [404, 'No such division.'],
  credit_account_not_found: [404, 'No such credit account.'],
  user_not_found: [404, 'No such user.'],
  site_not_found: [404, 'No such site.'],
  variant_not_site_addressable: [404, 'No such variant on this product.'],
  route_not_found: [404, 'Nothing is served at this path.'],
  method_not_allowed: [405, 'This path does not accept that method. The Allow header names those it does.'],
  ordering_not_provisioned: [409, 'Ordering is not set up for this site. Ask staff to name its ordering user.'],
  partner_order_id_reused: [409, 'This partnerOrderId was already used with a different body.'],
  proof_not_pending_review: [409, 'The line is not waiting for a proof decision.'],
  order_item_cancelled: [409, 'The line is cancelled.'],
  artwork_reservation_not_usable: [409, 'The reservation is unknown, unfinished or already attached.'],
  division_code_conflict: [409, 'The code is already used on this site.'],
  all_segments_visible_reset_not_acknowledged: [
    409,
    'The user sees all segments. Send acknowledgeAllSegmentsVisibleReset: true to end that.',
  ],
  auto_assigned_segments_present: [409, 'Segments assigned by a site rule cannot be removed.'],
  user_already_exists: [409, 'The username or e-mail address is already used on this site.'],
  monolith_target_missing: [409, 'The record vanished while it was being changed. Read it again.'],
  quote_invalid: [422, 'The quote is not possible as asked.'],
  unknown_country_code: [422, 'shipTo.country is not a known ISO 3166-1 alpha-2 code.'],
  unknown_state_code: [422, 'shipTo.state is not a known code within the country.'],
  shipping_quote_unavailable: [422, 'No shipping service can be priced for this request.'],
  denial_reason_not_available: [422, 'The reason is not offered on this line.'],
  division_not_on_site: [422, "The division does not exist on the user's site."],
  segment_not_on_site: [422, "A segment does not exist on the user's site."],
  parent_not_on_site: [422, "The parent division does not exist on the division's site."],
  parent_is_self: [422, 'A division cannot be its own parent.'],
  division_parent_invalid: [422, 'The parent would make a cycle or nest deeper than 10 levels.'],
  rate_limit_exceeded: [429, 'Too many requests. Wait as long as Retry-After says.'],
  internal_error: [500, 'An unexpected error occurred. Quote the requestId when contacting support.'],
  service_unavailable: [503, 'The service cannot answer right now. Try again later.'],
  audit_unavailable: [503, 'The change could not be recorded, so it was not made. Try again later.'],
  // Published and reserved: product writes are atomic, and no field depends on the service type.
  product_write_partially_applied: [500, 'Reserved: product writes are atomic.'],
  unsupported_field_for_service_type: [400, 'Reserved: no field depends on the service type.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>

/** Codes of the sandbox's control API alone, which is no part of the partner API: that one's set stays as it is. */
const sandboxTable = {
  invalid_receiver_id: [400, 'The receiver id must be a UUID.'],
  receiver_url_not_usable: [400, 'Deliveries cannot be sent to this URL.'],
  clock_too_far_ahead: [400, 'The clock would be more than ten years ahead.'],
  receiver_not_found: [404, 'No such receiver of yours.'],
  step_not_possible: [409, 'The order does not stand so that this step can be taken.'],
  receiver_disabled: [409, 'The receiver is disabled.'],
  too_many_receivers: [409, 'You have as many receivers as you can have.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>

const everyTable = { ...table, ...sandboxTable }

export type ProblemCode = keyof typeof everyTable

/** What a partner API operation can answer: the published set. */
export const problemCodes = Object.keys(table) as ProblemCode[]

export const sandboxProblemCodes = Object.keys(sandboxTable) as ProblemCode[]

export function problemStatus(code: ProblemCode): number {
  return everyTable[code][0]
}

/** The default `detail` of a problem; also the sentence the documentation prints for the code. */
export function problemMeaning(code: ProblemCode): string {
  return everyTable[code][1]
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The short summary of an HTTP status (ERR-04). */
export function problemTitle(status: number): string {
  return titles[status]!
}

/** Codes any operation can answer, before or around its own (ERR-07). */
export const gatewayProblems = [
  'invalid_token',
  'insufficient_scope',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
] as const satisfies ProblemCode[]
