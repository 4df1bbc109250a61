import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import type { Permission } from '../../vocabulary/staff-roles.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import { timeOfUuid } from '../../vocabulary/time-ordered-uuid.ts'
import { readingsOf, type Asked } from './asked.ts'
import type { HitKind } from './contract.ts'

/**
 * What a search asks of the database, in one statement: of each record that may bear such a text at most as many as are
 * shown. What a text can be depends on its form: only a UUID is looked up as one, only digits as a number, and digits after a
 * word that says what they number, such as `Order 1010033`, only as such a number.
 */

export type Found = {
  kind: HitKind
  id: string
  /** the record in whose path it is read, where that is another one */
  within: string | null
  title: string
  subtitle: string | null
  field: string
  /** 0 = exact, 1 = prefix, 2 = words */
  rank: number
}

/** What an id or number of a record shows beside its own title; `orders` and `partner` are joined. */
const orderTitle = sqlText`'Order ' || orders.order_number`
const orderSubtitle = sqlText`concat_ws(' · ',
  nullif(concat_ws(', ', orders.ship_to ->> 'name', orders.ship_to ->> 'company'), ''),
  nullif(concat_ws(', ', partner.name, orders.partner_order_id), ''), orders.status)`

const orderColumns = sqlText`'order', orders.order_number::text, null, ${orderTitle}, ${orderSubtitle}`
const lineColumns = sqlText`'line', coalesce(item_number::text, order_number || '-' || line_number), order_number::text,
  'Line ' || line_number || ' of order ' || order_number,
  concat_ws(' · ', order_line.quantity || ' × ' || product_name, job_name)`
const shipmentColumns = sqlText`'shipment', shipment_number::text, order_number::text,
  'Shipment ' || shipment_number || ' of order ' || order_number,
  concat_ws(' · ', ship_to ->> 'name', service_name, shipment.status)`
const returnColumns = sqlText`'return', return_number::text, null, 'RMA-' || return_number,
  concat_ws(' · ', 'order ' || order_number, status)`
const refundColumns = sqlText`'refund', refund_id::text, order_number::text, 'Refund ' || refund_id,
  concat_ws(' · ', 'order ' || order_number, currency || ' ' || (to_credit + paid_outside))`
const invoiceColumns = sqlText`'invoice', invoice_number::text, site_id::text,
  case invoice.kind when 'INVOICE' then 'Invoice ' else 'Credit note ' end || invoice_number,
  concat_ws(' · ', site.name, 'order ' || order_number, invoice.currency || ' ' || total)`
const accountColumns = sqlText`'creditAccount', credit_account_id::text, null, 'Credit account ' || credit_account_id,
  concat_ws(' · ', type, amount)`

type Finder = {
  kind: HitKind
  permission: Permission
  /** undefined = the text cannot be meant */
  find: (asked: Asked) => SqlPart | undefined
}

const int32Max = 2_147_483_647

/** @param names what people and papers call the number */
const byNumber =
  (names: readonly string[], find: (number: number, limit: number) => SqlPart, max: number = Number.MAX_SAFE_INTEGER) =>
  (asked: Asked) => {
    const { number, part, limit } = asked
    return number !== undefined && part === undefined && number <= max && mayMean(names, asked)
      ? find(number, limit)
      : undefined
  }

/** A number within what another number names, such as `1010033-2`. */
const byPair =
  (names: readonly string[], find: (number: number, part: number) => SqlPart, max: number = Number.MAX_SAFE_INTEGER) =>
  (asked: Asked) => {
    const { number, part } = asked
    return number !== undefined && part !== undefined && number <= max && mayMean(names, asked)
      ? find(number, part)
      : undefined
  }

function mayMean(names: readonly string[], { called }: Asked): boolean {
  return called === '' || names.includes(called)
}

/** What papers and people call an order or a shipment by whose number they go. */
const orderNames = ['order', 'pick list', 'pick list of order', 'job tickets'] as const
const shipmentNames = ['shipment', 'packing slip', 'labels', 'label', 'package'] as const

const byUuid =
  (find: (uuid: string) => SqlPart) =>
  ({ uuid }: Asked) =>
    uuid === undefined ? undefined : find(uuid)

/** Texts of two letters and more begin few enough. */
const byBeginning =
  (find: (text: string, limit: number) => SqlPart | undefined) =>
  ({ text, limit }: Asked) =>
    text.length < 2 || text.length > 100 ? undefined : find(text, limit)

const byWords =
  (find: (query: string, limit: number) => SqlPart) =>
  ({ words, limit }: Asked) =>
    words.every((word) => word.length < 2) ? undefined : find(words.map((word) => `'${word}':*`).join(' & '), limit)

/**
 * Whether a folded column begins with a text, as a range of bytes, which an index serves for every text. Texts are read
 * from a select: a plan that can see them looks cheaper than the cached one, so PostgreSQL would plan anew each time.
 */
function begins(column: SqlPart, folded: SqlPart): SqlPart {
  return sqlText`${column} collate "C" >= (select ${folded}) and ${column} collate "C" < (select ${folded} || ${'\u{10ffff}'})`
}

/**
 * Ids of records whose text has the words, from the index of their words. The step is planned for all that it may find:
 * for a few rows of so many, a look at every row would seem cheaper.
 */
function foundByWords(select: SqlPart, said: SqlPart, query: string, limit: number): SqlPart {
  return sqlText`
    with found as materialized (${select} where words_to_find(${said}) @@ (select ${query}::tsquery))
    select * from found limit ${limit}`
}

/** The rank of a text that begins with the one asked for. */
function rankOf(column: SqlPart, folded: SqlPart): SqlPart {
  return sqlText`case when ${column} = ${folded} then 0 else 1 end`
}

const lowered = (value: SqlPart): SqlPart => sqlText`lower(${value})`
const withoutSpaces = (value: SqlPart): SqlPart => sqlText`upper(replace(${value}, ' ', ''))`

/**
 * Rows whose column begins with the text, in its order.
 * @param fold how both are written alike; the column's index is of the same expression
 */
function byStart(columns: SqlPart, field: SqlPart, name: SqlPart, from: SqlPart, fold = lowered) {
  const column = fold(name)
  return byBeginning((text, limit) => {
    const folded = fold(sqlText`${text}`)
    return sqlText`
      select ${columns}, ${field}, ${rankOf(column, folded)}, 0 from ${from}
      where ${begins(column, folded)}
      order by ${column} collate "C" limit ${limit}`
  })
}

/** The ranges of the order numbers that begin with these digits, the longest numbers first. */
function orderNumberRanges(number: number): { from: number[]; to: number[] } {
  const ranges = { from: [] as number[], to: [] as number[] }
  for (let scale = 1; (number + 1) * scale < 1e12; scale *= 10) {
    ranges.from.unshift(number * scale)
    ranges.to.unshift((number + 1) * scale)
  }
  return ranges
}

/** How many words that begin as asked for are looked at, and how many orders of the rarest word. */
const beginningsMax = 6
const candidatesMax = 1_000

/**
 * Orders by the words of recipients and jobs. With several words, the orders of the rarest are looked at, the newest
 * first, and each must have the others too.
 */
function ordersByWords({ words, limit, text }: Asked): SqlPart | undefined {
  const asked = text.includes('@') ? [text.toLowerCase().slice(0, 60)] : words
  if (asked.every((word) => word.length < 2)) return undefined
  const isOne = asked.length === 1
  // Served by the key of order_search_word, from which a loose scan takes one word after the other.
  return sqlText`
    with recursive asked as (
      select beginning, place from unnest((select ${asked}::text[])) with ordinality as each(beginning, place)
    ), known as (
      select place, beginning, 1 as number, (
        select word from order_search_word as each
        where each.word >= beginning collate "C" and each.word < (beginning || ${'\u{10ffff}'}) collate "C"
        order by each.word limit 1
      ) as word
      from asked
      union all
      select place, beginning, number + 1, (
        select word from order_search_word as each
        where each.word > known.word and each.word < (beginning || ${'\u{10ffff}'}) collate "C"
        order by each.word limit 1
      )
      from known
      where word is not null and number < ${beginningsMax}
    ), rarest as (
      select place from known
      cross join lateral (
        select count(*) as orders from (
          select from order_search_word as each where each.word = known.word limit ${isOne ? 1 : candidatesMax}
        ) as few
      ) as counted
      group by place
      order by sum(orders), place
      limit 1
    ), candidate as (
      select order_number, found_in, known.word = beginning as whole
      from rarest
      join known using (place)
      cross join lateral (
        select order_number, found_in from order_search_word as each
        where each.word = known.word
        order by order_number desc
        limit ${isOne ? limit : candidatesMax}
      ) as newest
      order by known.word = beginning desc, order_number desc
      limit ${isOne ? 2 * limit : candidatesMax}
    ), matched as (
      select order_number, found_in, whole
      from candidate
      where not exists (
        select from asked, rarest
        where asked.place <> rarest.place and not exists (
          select from known
          join order_search_word as other on other.word = known.word and other.order_number = candidate.order_number
          where known.place = asked.place
        )
      )
      order by whole desc, order_number desc
      limit ${2 * limit}
    )
    select 'order' as kind, order_number::text as id, null as within, ${orderTitle} as title, ${orderSubtitle} as subtitle,
      case found_in when 'c' then 'shipTo.company' when 'e' then 'shipNotificationEmail' when 'j' then 'jobName'
        else 'shipTo.name' end as field,
      case when found_in = 'e' and whole then 0 else 2 end as rank, row_number() over (order by whole desc, order_number desc) as place
    from matched
    join orders using (order_number)
    left join partner using (partner_id)`
}

const linesOfPartners = byStart(lineColumns, sqlText`'externalId'`, sqlText`external_id`, sqlText`order_line`)

const finders: readonly Finder[] = [
  {
    kind: 'order',
    permission: 'orders:read',
    find: byNumber(
      orderNames,
      (number) => sqlText`
        select ${orderColumns}, 'orderNumber', 0, 0
        from orders left join partner using (partner_id)
        where order_number = ${number}`,
    ),
  },
  {
    kind: 'order',
    permission: 'orders:read',
    find: (asked) => {
      const { number, part, limit } = asked
      if (number === undefined || number < 10 || part !== undefined || !mayMean(orderNames, asked)) return undefined
      const { from, to } = orderNumberRanges(number)
      return sqlText`
        select ${orderColumns}, 'orderNumber', 1, 0
        from unnest((select ${from}::bigint[]), (select ${to}::bigint[])) as begun(low, high)
        cross join lateral (
          select * from orders where order_number >= low and order_number < high order by order_number desc limit ${limit}
        ) as orders
        left join partner using (partner_id)`
    },
  },
  {
    kind: 'order',
    permission: 'orders:read',
    find: byStart(
      orderColumns,
      sqlText`'partnerOrderId'`,
      sqlText`partner_order_id`,
      sqlText`orders left join partner using (partner_id)`,
    ),
  },
  {
    kind: 'order',
    permission: 'orders:read',
    find: byStart(
      orderColumns,
      sqlText`'purchaseOrderNumber'`,
      sqlText`purchase_order_number`,
      sqlText`orders left join partner using (partner_id)`,
    ),
  },
  {
    kind: 'order',
    permission: 'orders:read',
    find: byNumber(
      ['project'],
      (number, limit) => sqlText`
        select ${orderColumns}, 'projectId', 0, 0
        from orders left join partner using (partner_id)
        where project_id = ${number}
        order by order_number desc limit ${limit}`,
    ),
  },
  {
    kind: 'order',
    permission: 'orders:read',
    // Of a label that a carrier sold; its package has the number only once it was sent.
    find: byStart(
      orderColumns,
      sqlText`'trackingNumber'`,
      sqlText`tracking_number`,
      sqlText`shipment_label join shipment using (shipment_number) join orders on orders.order_number = shipment.order_number
        left join partner using (partner_id)`,
      withoutSpaces,
    ),
  },
  {
    kind: 'order',
    permission: 'orders:read',
    find: byStart(
      orderColumns,
      sqlText`'trackingNumber'`,
      sqlText`tracking_number`,
      sqlText`shipment_package join shipment using (shipment_number) join orders on orders.order_number = shipment.order_number
        left join partner using (partner_id)`,
      withoutSpaces,
    ),
  },
  { kind: 'order', permission: 'orders:read', find: ordersByWords },
  {
    kind: 'line',
    permission: 'orders:read',
    find: byNumber(
      ['item', 'line'],
      (number) => sqlText`
        select ${lineColumns}, 'itemNumber', 0, 0 from order_line where item_number = ${number}`,
    ),
  },
  {
    kind: 'line',
    permission: 'orders:read',
    // As job tickets and pick lists name a line.
    find: byPair(
      ['order', 'line', 'job ticket'],
      (order, line) => sqlText`
        select ${lineColumns}, 'lineNumber', 0, 0 from order_line where order_number = ${order} and line_number = ${line}`,
    ),
  },
  {
    kind: 'line',
    permission: 'orders:read',
    // A partner's own name of a line, if it is a number at all: words would be found in front of names of jobs.
    find: (asked) => (/\d/.test(asked.text) ? linesOfPartners(asked) : undefined),
  },
  {
    kind: 'line',
    permission: 'orders:read',
    find: byStart(
      lineColumns,
      sqlText`'reference'`,
      sqlText`reprint.reference`,
      sqlText`reprint join order_line using (order_number, line_number)`,
    ),
  },
  {
    kind: 'shipment',
    permission: 'orders:read',
    find: byNumber(
      shipmentNames,
      (number) => sqlText`
        select ${shipmentColumns}, 'shipmentNumber', 0, 0 from shipment where shipment_number = ${number}`,
    ),
  },
  {
    kind: 'shipment',
    permission: 'orders:read',
    // As labels name a package, also before anything is packed.
    find: byPair(
      shipmentNames,
      (shipment) => sqlText`
        select ${shipmentColumns}, 'packageNumber', 0, 0 from shipment where shipment_number = ${shipment}`,
    ),
  },
  {
    kind: 'shipment',
    permission: 'orders:read',
    find: byNumber(
      ['label'],
      (number) => sqlText`
        select ${shipmentColumns}, 'labelId', 0, 1 from shipment_label join shipment using (shipment_number)
        where label_id = ${number}`,
    ),
  },
  {
    kind: 'return',
    permission: 'orders:read',
    find: byNumber(
      ['rma', 'return'],
      (number) => sqlText`
        select ${returnColumns}, 'rmaNumber', 0, 0 from goods_return where return_number = ${number}`,
    ),
  },
  {
    kind: 'return',
    permission: 'orders:read',
    find: byStart(returnColumns, sqlText`'reference'`, sqlText`reference`, sqlText`goods_return`),
  },
  {
    kind: 'invoice',
    permission: 'orders:money',
    // Each site has a series of its own.
    find: byNumber(
      ['invoice', 'credit note'],
      (number, limit) => sqlText`
        select ${invoiceColumns}, 'invoiceNumber', 0, 0
        from site
        cross join lateral (
          select invoice_number, order_number, kind, currency, total from invoice
          where invoice.site_id = site.site_id and invoice_number = ${number}
        ) as invoice
        limit ${limit}`,
      int32Max,
    ),
  },
  {
    kind: 'invoice',
    permission: 'orders:money',
    find: byPair(
      ['invoice', 'credit note'],
      (site, number) => sqlText`
        select ${invoiceColumns}, 'invoiceNumber', 0, 0 from invoice join site using (site_id)
        where site_id = ${site} and invoice_number = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'refund',
    permission: 'orders:money',
    find: byNumber(
      ['refund'],
      (number) => sqlText`
        select ${refundColumns}, 'refundId', 0, 0 from refund join orders using (order_number)
        where refund_id = ${number}`,
    ),
  },
  {
    kind: 'refund',
    permission: 'orders:money',
    find: byStart(
      refundColumns,
      sqlText`'reference'`,
      sqlText`reference`,
      sqlText`refund join orders using (order_number)`,
    ),
  },
  {
    kind: 'refund',
    permission: 'orders:money',
    find: byStart(
      refundColumns,
      sqlText`'outsideReference'`,
      sqlText`outside_reference`,
      sqlText`refund join orders using (order_number)`,
    ),
  },
  {
    kind: 'submission',
    permission: 'orders:read',
    find: byUuid(
      (uuid) => sqlText`
        select 'submission', submission_id::text, null, 'Submission ' || partner_order_id,
          concat_ws(' · ', partner.name, submission.status), 'submissionId', 0, 0
        from submission join partner using (partner_id) where submission_id = ${uuid}::uuid`,
    ),
  },
  {
    kind: 'submission',
    permission: 'orders:read',
    find: byBeginning((text, limit) => {
      const folded = sqlText`lower(${text})`
      return sqlText`
        select 'submission', submission_id::text, null, 'Submission ' || partner_order_id,
          concat_ws(' · ', partner.name, submission.status), 'partnerOrderId',
          ${rankOf(sqlText`lower(partner_order_id)`, folded)}, 0
        from submission join partner using (partner_id)
        where status = 'failed' and ${begins(sqlText`lower(partner_order_id)`, folded)}
        order by lower(partner_order_id) collate "C" limit ${limit}`
    }),
  },
  {
    kind: 'request',
    permission: 'requests:read',
    // Most calls change nothing, so only the request log has them: there request_log_newest finds them by the time in the id.
    find: byUuid((uuid) => {
      const recordedOn = timeOfUuid(uuid)
      const calls = sqlText`
        select max(concat_ws(' ', coalesce(operation, method || ' ' || path), status)) as said from request_log
        where recorded_on = ${recordedOn ?? null}::timestamptz and request_id = ${uuid}::uuid`
      return sqlText`
        select 'request', ${uuid}, null, 'Request ' || ${uuid},
          concat_ws(' · ', calls.said, nullif(changes.count, 0) || ' recorded changes'), 'requestId', 0, 0
        from (${calls}) as calls
        cross join (
          select count(*) as count from (select from audit_record where request_id = ${uuid} limit 100) as records
        ) as changes
        where calls.said is not null or changes.count > 0`
    }),
  },
  {
    kind: 'mail',
    permission: 'mail:read',
    find: byUuid(
      (uuid) => sqlText`
        select 'mail', mail_id::text, null, coalesce(subject, kind), recipient || ' · ' || status, 'mailId', 0, 0
        from mail where mail_id = ${uuid}::uuid`,
    ),
  },
  {
    kind: 'user',
    permission: 'customers:read',
    find: byNumber(
      ['user', 'customer'],
      (number) => userHit(sqlText`'userId'`, sqlText`0`, sqlText`site_user.user_id = ${number}`, 1),
      int32Max,
    ),
  },
  {
    kind: 'user',
    permission: 'customers:read',
    find: byBeginning((text, limit) =>
      userBegins(sqlText`site_user.username_folded`, sqlText`'username'`, text, limit),
    ),
  },
  {
    kind: 'user',
    permission: 'customers:read',
    find: byBeginning((text, limit) => userBegins(sqlText`site_user.email_folded`, sqlText`'email'`, text, limit)),
  },
  {
    kind: 'user',
    permission: 'customers:read',
    find: byWords((query, limit) =>
      userHit(
        sqlText`'name'`,
        sqlText`2`,
        sqlText`user_id in (${foundByWords(
          sqlText`select user_id from site_user`,
          sqlText`coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company, '')`,
          query,
          limit,
        )})`,
        limit,
      ),
    ),
  },
  {
    kind: 'partner',
    permission: 'partners:read',
    find: byUuid(
      (uuid) => sqlText`
        select 'partner', partner_id::text, null, name, ${partnerSubtitle}, 'partnerId', 0, 0
        from partner where partner_id = ${uuid}::uuid`,
    ),
  },
  {
    kind: 'partner',
    permission: 'partners:read',
    find: byUuid(
      (uuid) => sqlText`
        select 'partner', partner_id::text, null, name, 'certificate ' || subject_dn, 'certificateId', 0, 0
        from partner_certificate join partner using (partner_id) where certificate_id = ${uuid}::uuid`,
    ),
  },
  {
    kind: 'partner',
    permission: 'partners:read',
    find: byBeginning((text, limit) => {
      // Certificates are few, as other credentials.
      const asked = sqlText`(select lower(replace(${text}, ':', '')))`
      return sqlText`
        select 'partner', partner_id::text, null, name, 'certificate ' || subject_dn,
          case when lower(serial_number) = ${asked} then 'serialNumber' else 'sha256' end, 0, 0
        from partner_certificate join partner using (partner_id)
        where lower(serial_number) = ${asked} or encode(sha256, 'hex') = ${asked}
        limit ${limit}`
    }),
  },
  {
    kind: 'partner',
    permission: 'partners:read',
    find: byUuid(
      (uuid) => sqlText`
        select 'partner', partner_id::text, null, name, 'check of ' || file_name, 'checkId', 0, 0
        from artwork_check join partner using (partner_id) where check_id = ${uuid}::uuid`,
    ),
  },
  {
    kind: 'partner',
    permission: 'partners:read',
    find: byBeginning((text, limit) => {
      // Credentials are few: partners have some each.
      const folded = sqlText`lower(${text})`
      return sqlText`
        select 'partner', partner_id::text, null, name, 'app client ' || client_id, 'clientId',
          ${rankOf(sqlText`lower(client_id)`, folded)}, 0
        from app_client join partner using (partner_id)
        where ${begins(sqlText`lower(client_id)`, folded)}
        order by client_id limit ${limit}`
    }),
  },
  {
    kind: 'partner',
    permission: 'partners:read',
    find: byWords(
      (query, limit) => sqlText`
        select 'partner', partner_id::text, null, name, ${partnerSubtitle}, 'name', 2, 0
        from partner where partner_id in (${foundByWords(sqlText`select partner_id from partner`, sqlText`name`, query, limit)})`,
    ),
  },
  {
    kind: 'person',
    permission: 'partners:read',
    find: byUuid((uuid) => personHit(sqlText`'personId'`, sqlText`0`, sqlText`person_id = ${uuid}::uuid`, 1)),
  },
  {
    kind: 'person',
    permission: 'partners:read',
    find: byBeginning((text, limit) => {
      // People are few: partners invite some each.
      const asked = sqlText`lower(${text})`
      return personHit(
        sqlText`'username'`,
        rankOf(sqlText`username`, asked),
        sqlText`(${begins(sqlText`username`, asked)}) or (${begins(sqlText`lower(partner_person.email)`, asked)})`,
        limit,
      )
    }),
  },
  {
    kind: 'product',
    permission: 'catalog:read',
    find: byNumber(['product', 'slo', 'sls'], (number) =>
      productHit(sqlText`'productId'`, sqlText`0`, sqlText`product_number = ${number}`, 1),
    ),
  },
  {
    kind: 'product',
    permission: 'catalog:read',
    find: byBeginning((text, limit) => {
      const asked = sqlText`lower(${text})`
      return productHit(
        sqlText`'code'`,
        rankOf(sqlText`lower(code)`, asked),
        begins(sqlText`lower(code)`, asked),
        limit,
        sqlText`order by lower(code) collate "C"`,
      )
    }),
  },
  {
    kind: 'product',
    permission: 'catalog:read',
    find: byBeginning((text, limit) => {
      const asked = sqlText`lower(${text})`
      return sqlText`
        select 'product', product.kind || '_' || product_number, null, product.name,
          concat_ws(' · ', 'SKU ' || sku, concat_ws(', ', attribute1_choice, attribute2_choice, attribute3_choice)), 'sku',
          ${rankOf(sqlText`lower(sku)`, asked)}, 0
        from variant join product using (product_number)
        where ${begins(sqlText`lower(sku)`, asked)}
        order by lower(sku) collate "C" limit ${limit}`
    }),
  },
  {
    kind: 'product',
    permission: 'catalog:read',
    find: byNumber(
      ['variant'],
      (number) => sqlText`
        select 'product', product.kind || '_' || product_number, null, product.name,
          concat_ws(' · ', 'variant ' || variant_id, 'SKU ' || sku), 'variantId', 0, 0
        from variant join product using (product_number) where variant_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'product',
    permission: 'catalog:read',
    find: byBeginning((text, limit) => {
      const asked = sqlText`lower(${text})`
      const column = sqlText`lower(template_id)`
      return productHit(
        sqlText`'templateId'`,
        rankOf(column, asked),
        begins(column, asked),
        limit,
        sqlText`order by ${column} collate "C"`,
      )
    }),
  },
  {
    kind: 'product',
    permission: 'catalog:read',
    find: byNumber(
      ['image'],
      (number) =>
        productHit(
          sqlText`'imageId'`,
          sqlText`0`,
          sqlText`product_number = (select product_number from product_image where image_id = ${number})`,
          1,
        ),
      int32Max,
    ),
  },
  {
    kind: 'product',
    permission: 'catalog:read',
    find: byWords((query, limit) =>
      productHit(
        sqlText`'name'`,
        sqlText`2`,
        sqlText`product_number in (${foundByWords(sqlText`select product_number from product`, sqlText`name`, query, limit)})`,
        limit,
      ),
    ),
  },
  {
    kind: 'site',
    permission: 'sites:read',
    find: byNumber(
      ['site'],
      (number) =>
        sqlText`select 'site', site_id::text, null, name, url, 'siteId', 0, 0 from site where site_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'site',
    permission: 'sites:read',
    find: byWords(
      (query, limit) => sqlText`
        select 'site', site_id::text, null, name, url, 'name', 2, 0
        from site where site_id in (${foundByWords(sqlText`select site_id from site`, sqlText`name`, query, limit)})`,
    ),
  },
  {
    kind: 'division',
    permission: 'customers:read',
    find: byNumber(
      ['division'],
      (number) => sqlText`
        select 'division', division_id::text, null, division.name, division.code || ' · ' || site.name, 'divisionId', 0, 0
        from division join site using (site_id) where division_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'creditAccount',
    permission: 'credit:read',
    find: byNumber(
      ['credit account', 'account'],
      (number) => sqlText`
        select 'creditAccount', credit_account_id::text, null, 'Credit account ' || credit_account_id, site.name,
          'creditAccountId', 0, 0
        from credit_account join site using (site_id) where credit_account_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'creditAccount',
    permission: 'credit:read',
    find: byNumber(
      ['adjustment', 'credit adjustment'],
      (number) => sqlText`
        select ${accountColumns}, 'adjustmentId', 0, 1 from credit_adjustment where adjustment_id = ${number}`,
    ),
  },
  {
    kind: 'creditAccount',
    permission: 'credit:read',
    find: byStart(accountColumns, sqlText`'reference'`, sqlText`reference`, sqlText`credit_adjustment`),
  },
  {
    kind: 'segment',
    permission: 'customers:read',
    find: byNumber(
      ['segment'],
      (number) => sqlText`
        select 'segment', segment_id::text, null, segment.name, site.name, 'segmentId', 0, 0
        from segment join site using (site_id) where segment_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'fulfilmentCenter',
    permission: 'shipping:read',
    find: byNumber(
      ['fulfilment center', 'plant'],
      (number) => sqlText`
        select 'fulfilmentCenter', fulfilment_center_id::text, null, name, concat_ws(', ', state_code, country_code),
          'fulfilmentCenterId', 0, 0
        from fulfilment_center where fulfilment_center_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'shippingService',
    permission: 'shipping:read',
    find: byNumber(
      ['shipping service', 'delivery service', 'service'],
      (number) => sqlText`
        select 'shippingService', shipping_service_id::text, site_id::text, concat_ws(' · ', provider, service_name),
          site.name, 'shippingServiceId', 0, 0
        from shipping_service join site using (site_id) where shipping_service_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'stockCount',
    permission: 'stock:read',
    find: byNumber(
      ['stock count', 'count sheet', 'count'],
      (number) => sqlText`
        select 'stockCount', stock_count_id::text, null, 'Count sheet ' || stock_count_id, note, 'stockCountId', 0, 0
        from stock_count where stock_count_id = ${number}`,
      int32Max,
    ),
  },
  {
    kind: 'webhookEndpoint',
    permission: 'webhooks:read',
    find: byUuid(
      (uuid) => sqlText`
        select 'webhookEndpoint', endpoint_id::text, null, url, partner.name, 'endpointId', 0, 0
        from webhook_endpoint join partner using (partner_id) where endpoint_id = ${uuid}::uuid`,
    ),
  },
  {
    kind: 'webhookDelivery',
    permission: 'webhooks:read',
    find: byNumber(['delivery', 'webhook delivery'], (number) =>
      deliveryHit(sqlText`'deliveryId'`, sqlText`delivery_id = ${number}`, 1),
    ),
  },
  {
    kind: 'webhookDelivery',
    permission: 'webhooks:read',
    find: ({ text, uuid, limit }) => {
      const eventId = /^test_[0-9a-f-]{36}$/i.test(text) ? text.toLowerCase() : uuid
      if (eventId === undefined) return undefined
      return deliveryHit(sqlText`'eventId'`, sqlText`event_id collate "C" = ${eventId}`, limit)
    },
  },
  {
    kind: 'order',
    permission: 'orders:read',
    // An event that nobody subscribed to has no delivery.
    find: byUuid(
      (uuid) => sqlText`
        select ${orderColumns}, 'eventId', 0, 0
        from event join orders using (order_number) left join partner using (partner_id)
        where event_id = ${uuid}::uuid`,
    ),
  },
  {
    kind: 'inspection',
    permission: 'orders:read',
    find: byUuid(
      (uuid) => sqlText`
        select 'inspection', inspection_id::text, order_number || '/lines/' || line_number,
          'Inspection of ' || file_name, 'line ' || line_number || ' of order ' || order_number || ' · ' || status,
          'inspectionId', 0, 0
        from artwork_inspection join print_file using (print_file_id) where inspection_id = ${uuid}::uuid`,
    ),
  },
]

const partnerSubtitle = sqlText`concat_ws(' · ', tier, case when partner.disabled_on is not null then 'disabled' end)`

function userHit(field: SqlPart, rank: SqlPart, condition: SqlPart, limit: number, order: SqlPart = nothing): SqlPart {
  return sqlText`
    select 'user', user_id::text, null,
      coalesce(nullif(concat_ws(' ', first_name, last_name), ''), username, email, 'User ' || user_id),
      concat_ws(' · ', company, email, site.name), ${field}, ${rank}, 0
    from site_user join site using (site_id)
    where ${condition} ${order} limit ${limit}`
}

function userBegins(column: SqlPart, field: SqlPart, text: string, limit: number): SqlPart {
  const asked = sqlText`${foldForUniqueness(text)}::text`
  return userHit(field, rankOf(column, asked), begins(column, asked), limit, sqlText`order by ${column} collate "C"`)
}

function personHit(field: SqlPart, rank: SqlPart, condition: SqlPart, limit: number): SqlPart {
  return sqlText`
    select 'person', person_id::text, null, username, concat_ws(' · ', partner_person.email, partner.name), ${field}, ${rank}, 0
    from partner_person join partner using (partner_id)
    where ${condition} order by username limit ${limit}`
}

function productHit(
  field: SqlPart,
  rank: SqlPart,
  condition: SqlPart,
  limit: number,
  order: SqlPart = nothing,
): SqlPart {
  return sqlText`
    select 'product', product.kind || '_' || product_number, null, product.name,
      concat_ws(' · ', code, site.name, case when not product.active then 'inactive' end), ${field}, ${rank}, 0
    from product join site using (site_id)
    where ${condition} ${order} limit ${limit}`
}

function deliveryHit(field: SqlPart, condition: SqlPart, limit: number): SqlPart {
  return sqlText`
    select 'webhookDelivery', delivery_id::text, null, 'Delivery ' || delivery_id,
      concat_ws(' · ', type, case when order_number > 0 then 'order ' || order_number end, coalesce(outcome, 'open')), ${field}, 0, 0
    from webhook_delivery
    where ${condition} order by delivery_id desc limit ${limit}`
}

/** What may be read with these permissions, each record once, by its best match, the best first. */
export async function findRecords(
  reads: Queries,
  text: string,
  {
    environment,
    kind,
    limit,
    permissions,
  }: { environment: Environment; kind: HitKind | undefined; limit: number; permissions: ReadonlySet<Permission> },
): Promise<Found[]> {
  const readings = readingsOf(text, environment, limit)
  const parts = finders
    .filter((each) => permissions.has(each.permission) && (kind === undefined || each.kind === kind))
    .flatMap(({ find }) => readings.flatMap((asked) => find(asked) ?? []))
  if (parts.length === 0) return []
  const all = parts.reduce((before, part) => sqlText`${before} union all (${part})`, sqlText`(${parts.shift()!})`)
  const found = await reads.rows<Found>(sql`
    select kind, id, within, title, subtitle, field, rank
    from (${all}) as hit (kind, id, within, title, subtitle, field, rank, place)
    order by rank, place`)
  const best = new Map<string, Found>()
  for (const each of found) {
    const key = [each.kind, each.within, each.id].join(' ')
    if (!best.has(key)) best.set(key, each)
  }
  return [...best.values()]
}
