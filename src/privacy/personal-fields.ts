import { type SqlPart, sqlText } from '../database/sql.ts'

/**
 * Every column that can hold a text, with what it means for people. `docs/privacy.md` shows the personal ones, export and
 * erasure go by them, and a column that is missing here fails `personal-fields.test.ts`.
 */

/** The rows of a person, by the ids and addresses that find them. */
export type Found = {
  orders: readonly number[]
  submissions: readonly string[]
  users: readonly number[]
  /** in lower case */
  emails: readonly string[]
  persons: readonly string[]
  staff: readonly string[]
  /** of the same staff */
  usernames: readonly string[]
}

/** Why a column is about nobody. */
export const reasonsOfPlain = {
  word: 'a word of a fixed list, a code or a unit',
  id: 'an identifier that says nothing of a person without another table',
  business: 'about a company, a site or the goods it sells',
  settings: 'what staff set up',
  proof: 'a hash, a key or a sealed secret: no text can be read from it',
  file: 'where a stored file lies; it holds no name',
  actor: 'who acted: a partner by id, or a member of staff by username, which stays so that every act has its author',
  money: 'numbers and references by which money is accounted for',
} as const

export type Erased = string | ((found: Found) => SqlPart)

export type PersonalTable = {
  whose: string
  why: string
  /** how long; see `src/kept-for-a-time.ts` for what is settable */
  kept: string
  /** which rows are a person's; null = nothing leads from a person to them, so time or staff removes them */
  found: ((found: Found) => SqlPart) | null
  /** by column: what it holds, and the SQL of its value after the erasure */
  fields: Readonly<Record<string, readonly [holds: string, erased: Erased]>>
  /** what else is set, so that the row stays consistent */
  also?: string
  /**
   * a query of the e-mail addresses that lead to its rows, in lower case: the ledger of erasures has only fingerprints of
   * addresses, so these are what it is held against
   */
  addresses?: string
  /** columns with the object keys of files that are removed */
  files?: readonly string[]
  /** the rows are deleted, and the values of `fields` say nothing */
  rowsGo?: true
  /** columns that are never exported: what they hold lets somebody in */
  secret?: readonly string[]
  /** by column that also holds what is about others: the SQL of what is exported of it */
  own?: Readonly<Record<string, (found: Found) => SqlPart>>
  /** who erases it instead of an update */
  instead?: string
}

const ofOrder = ({ orders }: Found): SqlPart => sqlText`order_number = any(${orders}::bigint[])`
const ofShipments = ({ orders }: Found): SqlPart => sqlText`
  shipment_number in (select shipment_number from shipment where order_number = any(${orders}::bigint[]))`
const ofPrintFiles = ({ orders }: Found): SqlPart => sqlText`
  print_file_id in (select print_file_id from print_file where order_number = any(${orders}::bigint[]))`
const ofInspections = ({ orders }: Found): SqlPart => sqlText`
  inspection_id in (select inspection_id from artwork_inspection join print_file using (print_file_id)
    where print_file.order_number = any(${orders}::bigint[]))`
const ofUser = ({ users }: Found): SqlPart => sqlText`user_id = any(${users}::int[])`
const ofPerson = ({ persons }: Found): SqlPart => sqlText`person_id = any(${persons}::uuid[])`
const ofStaff = ({ staff }: Found): SqlPart => sqlText`staff_id = any(${staff}::uuid[])`

/** An address without the person: country and state stay, since taxes were worked out by them. */
function place(column: string): string {
  return `(select jsonb_object_agg(key, case when key in ('country', 'state') then value else 'null' end)
    from jsonb_each(${column}))`
}

/** A text that must not be null. */
const mark = `'erased'`
const ifSaid = (column: string): string => `case when ${column} is not null then ${mark} end`

const orderKept = 'as long as the order: for ever'
const asOrder = { whose: 'recipient or customer of the order', kept: orderKept, found: ofOrder }
const forTheOrder = 'to make, deliver and account for the order'

export const personalTables: Readonly<Record<string, PersonalTable>> = {
  site_user: {
    whose: 'customer',
    why: 'to let the customer order, and to address papers and mails',
    kept: 'until the customer is erased',
    found: ofUser,
    fields: {
      username: ['sign-in name', `'erased-' || user_id`],
      username_folded: ['the same, folded', `'erased-' || user_id`],
      email: ['e-mail address', 'null'],
      email_folded: ['the same, folded', 'null'],
      first_name: ['name', 'null'],
      last_name: ['name', 'null'],
      company: ['company', 'null'],
      phone: ['telephone number', 'null'],
      password_hash: ['hash of the password', 'null'],
    },
    also: 'active = false, last_signin_on = null',
    addresses: 'select lower(email) from site_user where email is not null',
    secret: ['password_hash'],
  },
  user_address: {
    whose: 'customer',
    why: 'to offer a saved address',
    kept: 'until it is removed or the customer is erased',
    found: ofUser,
    fields: {
      company: ['company', ''],
      first_name: ['name', ''],
      last_name: ['name', ''],
      phone: ['telephone number', ''],
      address1: ['address', ''],
      address2: ['address', ''],
      city: ['address', ''],
      zip: ['address', ''],
      country: ['address', ''],
      country_code: ['address', ''],
      state: ['address', ''],
      state_code: ['address', ''],
    },
    rowsGo: true,
  },
  credit_adjustment: {
    whose: 'customer',
    why: 'what staff noted of a movement of credit',
    kept: 'for ever, with the ledger',
    found: ({ users, orders }) => sqlText`(order_number = any(${orders}::bigint[]) or credit_account_id = any(array(
      select credit_account_id from credit_account where user_id = any(${users}::int[]))))`,
    fields: { note: ['free text of staff', 'null'] },
  },
  orders: {
    ...asOrder,
    why: forTheOrder,
    fields: {
      ship_to: ['name, company, address, telephone number and e-mail address of the recipient', place('ship_to')],
      bill_to: ['name, company, address and telephone number of the payer', place('bill_to')],
      ship_notification_email: ['e-mail address that is told of the shipment', 'null'],
    },
    addresses: 'select lower(ship_notification_email) from orders where ship_notification_email is not null',
  },
  order_line: {
    ...asOrder,
    why: forTheOrder,
    fields: {
      job_name: ["the customer's name for the line", 'null'],
      note: ['free text of the customer', 'null'],
      problem: ['free text of staff', ifSaid('problem')],
      template_variables: ['what is printed: names, telephone numbers, whatever the template asks for', 'null'],
    },
  },
  order_search_word: {
    ...asOrder,
    why: 'so that staff find an order by its recipient',
    fields: { word: ['a word of the name, the company or the job; the e-mail address', ''] },
    instead: 'triggers, as the order, its shipments and lines change',
  },
  order_decision: { ...asOrder, why: 'why staff decided as they did', fields: { comment: ['free text', 'null'] } },
  order_note: { ...asOrder, why: 'what staff must know of the order', fields: { text: ['free text', mark] } },
  shipment: {
    ...asOrder,
    why: 'to deliver',
    fields: {
      ship_to: ['name, address and telephone number of the recipient', place('ship_to')],
      internal_notes: ['free text for packers', 'null'],
    },
  },
  shipment_label: {
    ...asOrder,
    why: 'what the carrier was told, and its label',
    found: ofShipments,
    fields: {
      parcel: ['addresses of sender and recipient', `'{}'`],
      refusal: ["the carrier's words", 'null'],
    },
    files: ['object_key'],
  },
  goods_return: {
    ...asOrder,
    why: 'why goods came back',
    fields: { asked: ['the request, with its comment', `'{}'`], comment: ['free text', 'null'] },
  },
  refund: {
    ...asOrder,
    why: 'why money was given back',
    fields: { asked: ['the request, with its comment', `'{}'`], comment: ['free text', 'null'] },
  },
  reprint: { ...asOrder, why: 'why it was made anew', fields: { comment: ['free text', 'null'] } },
  proof_file: {
    ...asOrder,
    why: 'what the customer approved, with what is printed',
    fields: {
      name: ['name of the file', mark],
      object_key: [
        'where it lies, with its name',
        `'erased/' || order_number || '/' || line_number || '/' || revision`,
      ],
      rendition_key: ['the same of its picture', `'erased/' || order_number || '/' || line_number || '/' || revision`],
      findings: ['what the check found, with texts of the file', `'[]'`],
    },
    also: 'archived_on = coalesce(archived_on, now())',
    files: ['object_key', 'rendition_key'],
  },
  proof_comment: {
    ...asOrder,
    why: 'what was said of the proof',
    fields: { comment: ['free text of customers and staff', ''] },
    rowsGo: true,
  },
  artwork_reservation: {
    ...asOrder,
    why: 'so that an upload is attached once',
    fields: {
      file_name: ['name of the file', mark],
      object_key: ['where the upload lies, with its name', `'erased/' || reservation_name`],
    },
    files: ['object_key'],
  },
  print_file: {
    ...asOrder,
    why: 'what the line is printed from',
    fields: {
      file_name: ['name of the file', mark],
      object_key: ['where it lies, with its name', `'erased/' || print_file_id`],
      md5: ['fingerprint of the file', `md5('')`],
    },
    files: ['object_key'],
  },
  artwork_inspection: {
    ...asOrder,
    why: 'what the check found in the print file',
    found: ofPrintFiles,
    fields: {
      findings: ['texts, fonts and links of the file', `'[]'`],
      pages: ['sizes of its pages', `'[]'`],
      sha256: ['fingerprint of the file', 'null'],
    },
  },
  artwork_picture: {
    ...asOrder,
    why: 'what the pages look like',
    found: ofInspections,
    fields: { object_key: ['where the picture lies', ''] },
    files: ['object_key'],
    rowsGo: true,
  },
  artwork_waiver: {
    ...asOrder,
    why: 'why staff let a finding pass',
    found: ofPrintFiles,
    fields: { reason: ['free text', mark], subject: ['what it is about, such as a font', ifSaid('subject')] },
  },
  artwork_check: {
    whose: 'whoever is named in a file without an order',
    why: 'so that a partner learns what is wrong with a file before it orders',
    kept: 'a day',
    found: null,
    fields: {
      file_name: ['name of the file', ''],
      upload_key: ['where it lies, with its name', ''],
      object_key: ['the same of the copy', ''],
    },
    instead: 'time',
  },
  stray_object: {
    whose: 'whoever is named in a file that nothing refers to',
    why: 'so that no file stays behind',
    kept: 'a day',
    found: null,
    fields: { object_key: ['where the file lies, with its name', ''] },
    instead: 'time',
  },
  invoice: {
    ...asOrder,
    why: 'the law wants invoices unchanged',
    fields: {
      people_sealed: ['names, addresses and job names, sealed under the key of the people of the order', ''],
      statement: ['the same in an invoice that was issued before there were keys', ''],
    },
    instead: 'the destruction of the key; the owner of the tables empties the older ones',
  },
  person_key: {
    ...asOrder,
    why: 'opens what invoices have sealed',
    fields: { key_sealed: ['the key, sealed under the key of the service', ''] },
    rowsGo: true,
    secret: ['key_sealed'],
  },
  submission: {
    whose: 'recipient of the order that was asked for',
    why: 'so that a repeated order is recognised, and staff see what was asked',
    kept: 'for ever',
    found: ({ submissions }) => sqlText`submission_id = any(${submissions}::uuid[])`,
    fields: {
      body: ['the order as it was sent, with the e-mail address of the recipient', `'{}'`],
      outcome: [
        'what came of it; what was wrong with a field may repeat it',
        `case when outcome is null then jsonb_build_object('errors', jsonb_build_array(
            jsonb_build_object('code', 'order_rejected', 'detail', 'The recipient was erased.')))
          when outcome ? 'errors' then jsonb_set(outcome, '{errors}', (
            select coalesce(jsonb_agg(error || jsonb_build_object('detail', ${mark}::text)), '[]')
            from jsonb_array_elements(outcome -> 'errors') as error)) else outcome end`,
      ],
    },
    // One that an older backup has under way must not become an order of somebody who was erased.
    also: `status = case when outcome is null then 'failed' else status end,
      reasons = case when outcome is null then array['service_fault'] else reasons end,
      leased_until = case when outcome is null then null else leased_until end`,
    // submission_failed_by_email, submission_open_plain and submission_open_artwork
    addresses: `select lower(body #>> '{shipTo,email}') from submission
      where status = 'failed' and body #>> '{shipTo,email}' is not null
      union all select lower(body #>> '{shipTo,email}') from submission
      where status in ('queued', 'processing') and body #>> '{shipTo,email}' is not null`,
  },
  webhook_delivery: {
    whose: 'recipient of the order',
    why: 'what the receiver of a webhook answered',
    kept: 'KEEP_DELIVERIES_DAYS',
    found: ({ orders }) => sqlText`
      event_id in (select event_id::text from event where order_number = any(${orders}::bigint[]))`,
    fields: { response_excerpt: ["the beginning of the receiver's answer", 'null'] },
  },
  mail: {
    whose: 'recipient of the mail, and the people of its order',
    why: 'what became of it',
    kept: 'KEEP_MAILS_DAYS',
    found: ({ orders, emails }) => sqlText`
      (order_number = any(${orders}::bigint[]) or lower(recipient collate "C") = any(${emails}::text[]))`,
    fields: {
      recipient: ['e-mail address', ''],
      about: ['what its text is made from', ''],
      secret_sealed: ['the end of the link that lets a person in, sealed', ''],
      occasion: ['what an alert is about', ''],
      reason_detail: ["the mail server's words", ''],
      subject: ['text', ''],
      text_body: ['text', ''],
      html_body: ['text', ''],
      headers: ['addresses and subject', ''],
    },
    addresses: 'select lower(recipient) from mail',
    rowsGo: true,
    secret: ['secret_sealed'],
  },
  bounced_address: {
    whose: 'whoever has the e-mail address',
    why: 'so that nothing is sent there again',
    kept: 'until staff clear it',
    found: ({ emails }) => sqlText`address = any(${emails}::text[])`,
    fields: { address: ['e-mail address', ''], reason: ["the mail server's or staff's words", ''] },
    addresses: 'select address from bounced_address',
    rowsGo: true,
  },
  partner: {
    whose: 'whoever is told what a partner must see to',
    why: 'to warn the partner',
    kept: 'until the partner or staff change it',
    found: ({ emails }) => sqlText`
      exists (select from unnest(alert_emails) as each where lower(each) = any(${emails}::text[]))`,
    fields: {
      alert_emails: [
        'e-mail addresses',
        ({ emails }) => sqlText`array(select each from unnest(alert_emails) as each
          where lower(each) <> all(${emails}::text[]))`,
      ],
    },
    addresses: 'select lower(unnest(alert_emails)) from partner',
    own: {
      alert_emails: ({ emails }) => sqlText`array(select each from unnest(alert_emails) as each
        where lower(each) = any(${emails}::text[]))`,
    },
  },
  partner_person: {
    whose: "partner's person who signs in",
    why: 'to let the person in',
    kept: 'until the person is erased',
    found: ofPerson,
    fields: {
      username: ['sign-in name, often an e-mail address', `'erased-' || person_id`],
      email: ['e-mail address', 'null'],
      password_hash: ['hash of the password', 'null'],
      invitation_hash: ['hash of a link', 'null'],
      second_factor: ['sealed secret of the authenticator', 'null'],
      recovery_codes: ['hashes', `'{}'`],
    },
    also: 'disabled_on = coalesce(disabled_on, now()), invitation_expires_on = null, last_signed_in_on = null',
    addresses: 'select lower(email) from partner_person where email is not null',
    secret: ['password_hash', 'invitation_hash', 'second_factor', 'recovery_codes'],
  },
  password_reset_link: {
    whose: "partner's person who signs in",
    why: 'lets a person set a password',
    kept: 'an hour',
    found: ofPerson,
    fields: { reset_hash: ['hash of a link', ''] },
    rowsGo: true,
    secret: ['reset_hash'],
  },
  sign_in_record: {
    whose: "partner's person who signs in",
    why: 'sessions, consents and tokens',
    kept: 'until they end',
    found: ofPerson,
    fields: {
      payload: ['sealed session or grant', ''],
      record_id: ['hash', ''],
      grant_id: ['hash', ''],
      session_uid: ['hash', ''],
    },
    rowsGo: true,
    secret: ['payload', 'record_id', 'grant_id', 'session_uid'],
  },
  allowed_application: {
    whose: "partner's person who signs in",
    why: 'which applications may act for the person',
    kept: 'until the person disconnects them',
    found: ofPerson,
    fields: {
      client_id: ['application', ''],
      name: ['application', ''],
      scopes: ['what it may do', ''],
      declined: ['what it may not do', ''],
    },
    rowsGo: true,
  },
  request_log: {
    whose: 'whoever called, by network address',
    why: 'support and protection against abuse',
    kept: 'KEEP_REQUESTS_DAYS',
    found: null,
    fields: {
      source_address: ['network address of the caller', ''],
      path: ['path of the call, without the query', ''],
    },
    instead: 'time',
  },
  division: {
    whose: "contact of a customer's division",
    why: 'to address papers',
    kept: 'until staff change it',
    found: null,
    fields: {
      address_company: ['company', ''],
      address_first_name: ['name', ''],
      address_last_name: ['name', ''],
      address_street: ['address', ''],
      address_street2: ['address', ''],
      address_city: ['address', ''],
      address_zip: ['address', ''],
      address_country: ['address', ''],
      address_state: ['address', ''],
    },
    instead: 'staff, with `setDivisionAddress`: it is the address of a company',
  },
  staff_account: {
    whose: 'member of staff',
    why: 'to let the person in, and to say who acted',
    kept: 'for ever: the username is the author of acts, and nobody else may get it',
    found: ofStaff,
    fields: {
      username: ['sign-in name', 'username'],
      username_folded: ['the same, folded', 'username_folded'],
      password_hash: ['hash of the password', mark],
    },
    also: `roles = '{}', disabled_on = coalesce(disabled_on, now())`,
    secret: ['password_hash'],
  },
  staff_session: {
    whose: 'member of staff',
    why: 'keeps the person signed in',
    kept: 'until it ends',
    found: ofStaff,
    fields: { session_hash: ['hash', ''] },
    rowsGo: true,
    secret: ['session_hash'],
  },
  staff_view: {
    whose: 'member of staff',
    why: 'lists as the person keeps them',
    kept: 'until the person removes them',
    found: ofStaff,
    fields: { name: ['free text', ''], query: ['filters, which may be names', ''] },
    rowsGo: true,
  },
  audit_record: {
    whose: 'whoever acted, and who is acted upon, by ids',
    why: 'who did what, provably',
    kept: 'for ever',
    found: ({ users, orders, usernames, staff }) => sqlText`(
      (subject_kind = 'user' and subject_id = any(${users.map(String)}::text[]))
      or (subject_kind = 'order' and subject_id = any(${orders.map(String)}::text[]))
      or (subject_kind = 'staff_account' and subject_id = any(${staff}::text[]))
      or (actor_kind = 'STAFF' and actor_id = any(${usernames}::text[])))`,
    fields: {},
    instead: 'nothing: it holds ids, codes and amounts, and no free text about people',
  },
}

/** Columns about nobody, by table and reason. */
export const plainColumns: Readonly<Record<string, Partial<Record<keyof typeof reasonsOfPlain, string>>>> = {
  allowed_application: {},
  app_client: { id: 'client_id', proof: 'secret_hash', settings: 'label' },
  artwork_inspection: { settings: 'profile artwork_types profile_key', word: 'status engine_version media_type' },
  artwork_picture: { word: 'kind' },
  artwork_waiver: { word: 'code', actor: 'actor_id' },
  audit_record: {
    word: 'actor_kind action subject_kind detail',
    actor: 'actor_id',
    id: 'subject_id request_id',
    proof: 'chain_hash',
  },
  audit_seal: { proof: 'hashes' },
  credit_account: { money: 'reference', word: 'template_name scope' },
  credit_adjustment: { word: 'type', money: 'reference' },
  demo_key: { proof: 'key_sealed' },
  denial_reason_switched_off: { word: 'code' },
  division: { business: 'name code code_folded', word: 'country_code supplier_code' },
  erasure: { word: 'kind reason', id: 'subject', proof: 'address_fingerprints', file: 'object_keys' },
  event: { word: 'type', id: 'trace_context' },
  fulfilment_center: {
    business: 'name country_code state_code postal_code address time_zone cut_off_hours working_weekdays',
  },
  goods_return: { word: 'status reason', money: 'reference' },
  goods_return_receipt: { word: 'condition', business: 'shelf' },
  invoice: { word: 'kind currency' },
  mail: { word: 'kind status reason' },
  migration: { word: 'name lives_with release rights' },
  order_decision: { word: 'kind reason actor_kind overridden', actor: 'actor_id' },
  order_line: {
    word: 'record_kind artwork_source production_status held_production_status proof_status priority',
    business: 'sku product_id product_name product_code product_discount user_discount attributes',
    id: 'external_id',
  },
  order_movement: { word: 'kind cause actor_kind', actor: 'actor_id' },
  order_note: { word: 'audience actor_kind', actor: 'actor_id withdrawn_by' },
  order_search_word: { word: 'found_in' },
  orders: {
    id: 'partner_order_id',
    word: 'status currency',
    money: 'purchase_order_number',
    business: 'shipping_provider shipping_method',
  },
  partner: {
    business: 'name brand_name brand_color brand_logo support_email sender_address',
    word: 'tier machine_method capabilities',
  },
  partner_certificate: { proof: 'subject serial sha256', business: 'subject_dn serial_number pem chain' },
  partner_person: {},
  print_file: { word: 'source' },
  product: {
    word: 'kind service_type artwork_source artwork_types visibility',
    business:
      'name code artwork_profile description meta_description meta_keywords attribute_names template_vendor template_id',
  },
  product_discount: { business: 'name' },
  product_image: { file: 'image_path', business: 'image_alt attribution' },
  product_search: { word: 'service_type', business: 'called' },
  proof_log_entry: { word: 'actor_kind entry', actor: 'actor_id' },
  reason: { word: 'kind code artwork_source', settings: 'label description' },
  refund: { money: 'reference outside_reference', word: 'reason' },
  refund_part: { word: 'charge' },
  reprint: { word: 'proof reason', money: 'reference' },
  request_log: { word: 'operation method code auth_method', id: 'credential' },
  revoked_token: { id: 'token_id client_id' },
  sandbox_earned: { word: 'item', id: 'evidence' },
  sandbox_misbehaviour: { word: 'misbehaviour' },
  search_word: { business: 'word' },
  segment: { settings: 'name' },
  segment_rule: { settings: 'email_domain' },
  service_key: { proof: 'fingerprint' },
  shipment: { word: 'status', business: 'provider service_name' },
  shipment_label: {
    word: 'status carrier_service currency',
    id: 'carrier_shipment_id offer_id tracking_number tracking_url',
    file: 'object_key',
  },
  shipment_package: { id: 'tracking_number tracking_url' },
  shipping_service: { word: 'kind', business: 'provider service_name carrier_service tracking_url_form' },
  shipping_zone: { business: 'country_code state_code postal_prefix' },
  sign_in_attempts: { proof: 'counted' },
  sign_in_client: { id: 'client_id', business: 'name redirect_uris' },
  sign_in_record: { word: 'kind', id: 'client_id' },
  site: {
    business: 'name url brand_name brand_color brand_logo support_email sender_address tax_number',
    word: 'currency country_code time_zone supplier_code tax_by mails_order_confirmation mails_proof_waiting mails_shipment_shipped',
  },
  site_user: { settings: 'discount_name' },
  staff_account: { word: 'roles' },
  staff_session: { word: 'transport' },
  staff_sign_in_failure: { proof: 'counted' },
  staff_view: { word: 'page' },
  stock_count: { business: 'note', actor: 'begun_by closed_by' },
  stock_count_row: { business: 'shelf' },
  stock_movement: { word: 'kind actor_kind', business: 'shelf reason', actor: 'actor_id' },
  stock_shelf: { business: 'shelf' },
  submission: { id: 'partner_order_id trace_context', proof: 'body_hash', word: 'status reasons' },
  tax_rate: { word: 'country_code state_code' },
  user_address: { word: 'address_type' },
  variant: { business: 'sku attribute1_choice attribute2_choice attribute3_choice location', word: 'weight_unit' },
  webhook_delivery: { id: 'event_id body trace_context', word: 'type outcome reason misbehaviour' },
  webhook_endpoint: { business: 'url', word: 'types', proof: 'secret_sealed former_secret_sealed' },
}
