/**
 * The published problem codes with status and meaning. Clients branch on `code`; the set is closed (VER-04). This
 * service adds only four codes to the specification's: `route_not_found`, `method_not_allowed`, for senders of `If-Match`
 * `precondition_failed`, and for artwork checks, which are an addition, `artwork_check_not_found`.
 */
const table = {
  invalid_cursor: [400, 'The cursor cannot be used here. Start again without it.'],
  invalid_site_id: [400, 'The siteId must be a positive whole number that names a site granted to you.'],
  invalid_order_number: [400, 'An order number must be a positive whole number of at most 15 digits.'],
  invalid_item_number: [400, 'An item number must be a positive whole number of at most 15 digits.'],
  invalid_product_id: [400, 'A product id must look like SLO_123 or SLS_123.'],
  invalid_service_type: [400, 'The parameter serviceType must be STOCK or POD.'],
  invalid_query: [400, 'The parameter q must have at most 200 characters and must not be blank.'],
  site_id_required_for_search: [400, 'A search needs a site: send siteId with q.'],
  cursor_not_supported_with_search: [400, 'A search has no pages: send q without cursor.'],
  search_not_available: [400, 'Search is not available in this environment.'],
  updated_since_not_supported: [
    400,
    'The parameter updatedSince is not supported, because there is no change feed. Leave it out.',
  ],
  invalid_request: [400, 'The request is not valid.'],
  unknown_query_parameter: [400, 'The request has a query parameter that is not accepted here.'],
  invalid_submission_id: [400, 'A submission id must be a UUID.'],
  invalid_product_patch: [400, 'The product change is not valid.'],
  invalid_division_id: [400, 'A division id must be a positive whole number of at most nine digits.'],
  invalid_credit_account_id: [400, 'A credit account id must be a positive whole number of at most nine digits.'],
  invalid_active: [400, 'The parameter active must be true or false.'],
  invalid_adjustment_type: [400, 'The parameter type must be an upper-case movement code such as PRODUCT_DEBIT.'],
  invalid_user_id: [400, 'A user id must be a positive whole number of at most nine digits.'],
  invalid_variant_patch: [400, 'The variant change is not valid.'],
  invalid_variant_id: [
    400,
    'A variant id must be a positive whole number of at most nine digits. Print-on-demand products have no variants.',
  ],
  invalid_image_patch: [400, 'The image change is not valid.'],
  invalid_image_id: [400, 'An image id must be a positive whole number of at most nine digits.'],
  division_create_requires_address: [
    400,
    'The divisions of this site need an address, which this API cannot set. Staff create them.',
  ],
  invalid_segment_ids: [400, "Every segment must belong to the product's site."],
  invalid_segments_body: [400, 'The body must have the form {"segmentIds": [integer, …]}.'],
  monolith_rejected: [400, 'The platform did not accept the change.'],
  null_not_supported: [
    400,
    'The body has null for a field that cannot be cleared. Send a value, or leave the field out if it is optional.',
  ],
  sls_null_backfills_master: [
    400,
    "A null would copy the master product's text into the shared product. Send a text, or leave the field out.",
  ],
  invalid_quantity: [400, 'The field quantity must be a positive whole number.'],
  invalid_shipping_quote_request: [400, 'The shipping quote request is not valid.'],
  invalid_token: [401, 'The credential is missing, expired or invalid.'],
  insufficient_scope: [403, 'The credential does not have the scope that this operation needs.'],
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
  artwork_check_not_found: [404, 'No such artwork check of yours, or it is more than a day old. Begin a new one.'],
  variant_not_site_addressable: [404, 'No such variant on this product.'],
  route_not_found: [404, 'Nothing is served at this path.'],
  method_not_allowed: [
    405,
    'The path does not accept this method. The Allow header names the methods that it accepts.',
  ],
  ordering_not_provisioned: [409, 'Ordering is not set up for this site. Ask staff to name its ordering user.'],
  partner_order_id_reused: [
    409,
    'The partnerOrderId was used before with a different body. Send that body again, or use a new partnerOrderId.',
  ],
  proof_not_pending_review: [409, 'The proof of the line is not pending review.'],
  order_item_cancelled: [409, 'The line is cancelled.'],
  artwork_reservation_not_usable: [
    409,
    'The reservation is unknown or already attached, its file is missing, empty or of a type that the product does not ' +
      'take, or the line has shipped, is made or completed. The detail says which.',
  ],
  division_code_conflict: [409, 'The site has another division with this code.'],
  all_segments_visible_reset_not_acknowledged: [
    409,
    'The user sees all segments. Send acknowledgeAllSegmentsVisibleReset: true to change that.',
  ],
  auto_assigned_segments_present: [409, 'A segment that a rule of the site assigned cannot be removed.'],
  user_already_exists: [409, 'The site has another user with this username or e-mail address.'],
  monolith_target_missing: [409, 'The record was removed during the change. Read it again.'],
  precondition_failed: [
    412,
    'The record is not as the If-Match header says: it has changed, or the header does not have its ETag. Read it again.',
  ],
  quote_invalid: [422, 'The product or the order cannot be quoted as requested.'],
  unknown_country_code: [422, 'The field shipTo.country must be an ISO 3166-1 alpha-2 code.'],
  unknown_state_code: [422, 'The field shipTo.state must be the code of a state of the country.'],
  shipping_quote_unavailable: [422, 'The site has no shipping service that can be priced for this request.'],
  denial_reason_not_available: [422, 'The line does not offer this reason. List its denial reasons.'],
  division_not_on_site: [422, "The user's site has no such division."],
  segment_not_on_site: [422, "Every segment must belong to the user's site."],
  parent_not_on_site: [422, "The division's site has no such parent division."],
  parent_is_self: [422, 'A division cannot be its own parent.'],
  division_parent_invalid: [422, 'The parent would make a cycle, or a tree of more than 10 levels.'],
  rate_limit_exceeded: [429, 'Too many requests. Try again after the seconds in Retry-After.'],
  internal_error: [500, 'An unexpected error occurred. Quote the requestId when contacting support.'],
  service_unavailable: [503, 'The service cannot answer right now. Try again later.'],
  audit_unavailable: [503, 'The change could not be recorded, so it was not made. Try again later.'],
  // Published and reserved: product writes are atomic, and no field depends on the service type.
  product_write_partially_applied: [500, 'Reserved: product writes are atomic.'],
  unsupported_field_for_service_type: [400, 'Reserved: no field depends on the service type.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>

/** Codes of the sandbox's control API only. They are not part of the partner API's closed set. */
const sandboxTable = {
  invalid_receiver_id: [400, 'A receiver id must be a UUID.'],
  receiver_url_not_usable: [400, 'The URL cannot receive deliveries.'],
  clock_too_far_ahead: [400, 'The clock can be at most ten years ahead.'],
  receiver_not_found: [404, 'No such receiver of yours.'],
  step_not_possible: [409, "The order's status does not allow this step."],
  receiver_disabled: [409, 'The receiver is disabled.'],
  delivery_under_way: [409, 'The delivery still waits for its attempt, or for the answer to it. Wait for its outcome.'],
  too_many_receivers: [409, 'The partner cannot register more receivers.'],
  client_not_found: [404, 'No such app client that you made yourself.'],
  not_a_bearer_partner: [409, 'You authenticate with certificates, so you have no app clients.'],
  too_many_clients: [409, 'You have made five app clients, and all are live. Revoke one.'],
  too_many_streams: [429, 'You have five streams of events open already. Close one.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>

/** Codes of the developer API, some of them also of the sandbox's control API. They are not part of that set either. */
const developerTable = {
  application_not_allowed: [
    403,
    'Here the token of a person works only if the developer portal or the command line of this service got it.',
  ],
  request_not_found: [404, 'The log of the last 14 days has no such request of yours.'],
  delivery_not_found: [404, 'No such delivery to a webhook endpoint of yours.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>

const everyTable = { ...table, ...sandboxTable, ...developerTable }

export type ProblemCode = keyof typeof everyTable

/** The published set: the codes that a partner API operation can answer. */
export const problemCodes = Object.keys(table) as ProblemCode[]

export const sandboxProblemCodes = Object.keys(sandboxTable) as ProblemCode[]

export const everyProblemCode = Object.keys(everyTable) as ProblemCode[]

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(everyTable, code)
}

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
  412: 'Precondition Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The short summary of an HTTP status (ERR-04). */
export function problemTitle(status: number): string {
  return titles[status]!
}

/** Codes that any operation can answer besides its own (ERR-07). */
export const gatewayProblems = [
  'invalid_token',
  'insufficient_scope',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
] as const satisfies ProblemCode[]
