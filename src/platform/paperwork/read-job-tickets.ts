import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { joined, type Place } from '../../vocabulary/address-lines.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { LinePriority, ProductionStatus, ProofStatus } from '../../vocabulary/statuses.ts'
import { serviceInWords } from '../../vocabulary/service-name.ts'
import { dueOn } from '../lines/open-lines.ts'
import type { NoteAudience } from '../order-desk/notes.ts'
import type { Choice, JobTicket } from './drawing/sheet-facts.ts'
import { choicesOf, dayIn, inOrderAsked, lineName, type LineId } from './print-of.ts'
import { readPictures } from './read-pictures.ts'

type Row = Pick<
  JobTicket,
  | 'itemNumber'
  | 'siteName'
  | 'partnerName'
  | 'partnerOrderId'
  | 'purchaseOrderNumber'
  | 'productName'
  | 'productCode'
  | 'sku'
  | 'jobName'
  | 'quantity'
  | 'backorderQuantity'
> &
  LineId & {
    siteId: number
    timeZone: string
    orderStatus: string
    placedOn: string
    dueOn: string | null
    attributes: readonly Choice[]
    productionStatus: ProductionStatus | null
    heldProductionStatus: ProductionStatus | null
    proofStatus: ProofStatus | null
    proofRevision: number | null
    priority: LinePriority
    problem: string | null
    isCancelled: boolean
    held: { reason: string | null; comment: string | null } | null
    overrides: { author: string; guards: string[]; reason: string | null; comment: string | null }[]
    orderNotes: { author: string; audience: NoteAudience; text: string; writtenOn: string; isOfLine: boolean }[]
    note: string | null
    shippingNotes: string | null
    artworkSource: string
    templateVariables: unknown
    profile: ArtworkProfile
    provider: string | null
    serviceName: string | null
    shipTo: Place | null
    files: { fileName: string; pageCount: number; status: string; pictures: { page: number; objectKey: string }[] }[]
  }

const filesMax = 3
const picturesMax = 2
const fieldsMax = 9
const notesMax = 8
const overridesMax = 3

/**
 * The job tickets of lines, in the order asked for.
 * @param linkOf what the code of a ticket says
 */
export async function readJobTickets(
  stores: { queries: Queries; objectStore: Pick<ObjectStore, 'read'> },
  asked: readonly LineId[],
  linkOf: (line: LineId) => string,
): Promise<{ tickets: JobTicket[]; siteId: number } | { missing: string[] }> {
  // The primary keys of all tables, print_file_by_line, shipment_line_by_order, order_decision_by_order, order_note_by_order
  const rows = await stores.queries.rows<Row>(sql`
    select line.order_number, line.line_number, line.item_number, orders.site_id, site.name as site_name,
      site.time_zone, partner.name as partner_name, orders.partner_order_id, orders.purchase_order_number,
      orders.status as order_status, orders.placed_on, ${dueOn} as due_on, line.product_name, line.product_code, line.sku,
      line.attributes, line.job_name, line.quantity, line.backorder_quantity, line.production_status,
      line.held_production_status, line.proof_status, line.priority, line.problem,
      line.cancelled_on is not null as is_cancelled, line.note, line.artwork_source, line.template_variables,
      source.artwork_profile as profile, shipment.provider, shipment.service_name, shipment.internal_notes as shipping_notes,
      coalesce(shipment.ship_to, orders.ship_to) as ship_to, (
        select max(revision) from proof_file
        where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number
      ) as proof_revision, (
        select json_build_object('reason', reason.label, 'comment', decision.comment)
        from order_decision decision
        left join reason on reason.kind = decision.kind and reason.code = decision.reason
        where decision.order_number = line.order_number and decision.kind = 'hold'
          and coalesce(decision.line_number, line.line_number) = line.line_number
        order by decision_id desc
        limit 1
      ) as held, (
        select coalesce(json_agg(json_build_object('author', actor_id, 'guards', overridden, 'reason', label,
          'comment', comment) order by decision_id desc), '[]')
        from (
          select decision.*, reason.label from order_decision decision
          left join reason on reason.kind = decision.kind and reason.code = decision.reason
          where decision.order_number = line.order_number and decision.kind = 'override'
            and coalesce(decision.line_number, line.line_number) = line.line_number
          order by decision_id desc
          limit ${overridesMax}::int
        ) decision
      ) as overrides, (
        select coalesce(json_agg(json_build_object('author', actor_id, 'audience', audience, 'text', text,
          'writtenOn', written_on, 'isOfLine', line_number is not null) order by note_id desc), '[]')
        from (
          select * from order_note note
          where note.order_number = line.order_number and withdrawn_on is null
            and coalesce(note.line_number, line.line_number) = line.line_number
          order by note_id desc
          limit ${notesMax + 1}::int
        ) note
      ) as order_notes, (
        select coalesce(json_agg(json_build_object('fileName', file_name, 'pageCount', page_count, 'status', status,
          'pictures', pictures) order by print_file_id desc), '[]')
        from (
          select print_file_id, file_name, jsonb_array_length(inspection.pages) as page_count, inspection.status, (
              select coalesce(json_agg(json_build_object('page', page, 'objectKey', object_key) order by page), '[]')
              from (
                select distinct on (page) page, picture.object_key from print_file drawn
                join artwork_inspection of_drawn on of_drawn.print_file_id = drawn.print_file_id
                join artwork_picture picture on picture.inspection_id = of_drawn.inspection_id
                where drawn.order_number = line.order_number and drawn.object_key = print_file.object_key
                  and kind = 'medium' and page <= ${picturesMax}::int
                order by page, picture.object_key
              ) picture
            ) as pictures
          from print_file
          join artwork_inspection inspection using (print_file_id)
          where print_file.order_number = line.order_number and print_file.line_number = line.line_number and active
          order by print_file_id desc
          limit ${filesMax}::int
        ) file
      ) as files
    from unnest(${asked.map((line) => line.orderNumber)}::bigint[], ${asked.map((line) => line.lineNumber)}::int[])
      as wanted(order_number, line_number)
    join order_line line using (order_number, line_number)
    join orders using (order_number)
    join site on site.site_id = orders.site_id
    join product using (product_number)
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    left join partner using (partner_id)
    left join lateral (
      select provider, service_name, internal_notes, ship_to from shipment_line
      join shipment using (shipment_number)
      where shipment_line.order_number = line.order_number and shipment_line.line_number = line.line_number
        and shipment.status <> 'CANCELLED'
      order by shipment.status = 'SHIPPED', shipment_number
      limit 1
    ) shipment on true`)
  const found = inOrderAsked(asked, rows, lineName)
  if ('missing' in found) return found
  const pictures = await readPictures(
    stores.objectStore,
    found.rows.flatMap(({ files }) => (files[0]?.pictures ?? []).map(({ objectKey }) => objectKey)),
  )
  return { tickets: found.rows.map((row) => ticketOf(row, pictures, linkOf(row))), siteId: found.rows[0]!.siteId }
}

function ticketOf(row: Row, pictures: ReadonlyMap<string, Uint8Array>, link: string): JobTicket {
  const { timeZone, profile, shipTo, files, templateVariables, attributes } = row
  const [newest] = files
  const shown = (newest?.pictures ?? []).flatMap(({ page, objectKey }) => {
    const png = pictures.get(objectKey)
    return png ? [{ caption: `${newest!.fileName}, page ${page} of ${newest!.pageCount}`, png }] : []
  })
  return {
    ...row,
    choices: choicesOf(attributes),
    station: stationInWords(row),
    proof: proofInWords(row),
    alerts: alertsOf(row),
    dueOn: dayIn(timeZone, row.dueOn),
    placedOn: dayIn(timeZone, row.placedOn),
    format:
      profile.trimWidth === null || profile.trimHeight === null
        ? null
        : { width: profile.trimWidth, height: profile.trimHeight },
    bleed: profile.bleed,
    service: serviceInWords(row.provider, row.serviceName),
    destination: shipTo ? joined(', ', shipTo.name, shipTo.city, shipTo.state, shipTo.country) : '',
    fields: fieldsOf(templateVariables),
    notes: [
      ...staffNotesOf(row),
      ...(row.note === null ? [] : [{ from: 'Note of the customer', text: row.note }]),
      ...(row.shippingNotes === null ? [] : [{ from: 'For packing', text: row.shippingNotes }]),
    ],
    files: files.map(({ fileName, pageCount }) => ({ fileName, pageCount })),
    pictures: shown,
    withoutPicture: withoutPicture(row),
    link,
  }
}

/** Newest first; the newest ones only, with a word that there are more. */
function staffNotesOf({ orderNotes, timeZone }: Row): JobTicket['notes'] {
  const shown = orderNotes.slice(0, notesMax).map(({ author, audience, text, writtenOn, isOfLine }) => ({
    from: `${audience === 'PARTNER' ? 'To the partner' : 'Note'} by ${author}, ${dayIn(timeZone, writtenOn)}, about the ${isOfLine ? 'line' : 'order'}`,
    text,
  }))
  return orderNotes.length > notesMax ? [...shown, { from: 'Older notes', text: 'Read them in the order.' }] : shown
}

function withoutPicture({ files: [newest], artworkSource }: Row): string {
  if (!newest) return artworkSource === 'NONE' ? 'This product is made without artwork' : 'No artwork was sent yet'
  if (newest.status === 'queued' || newest.status === 'inspecting') return `${newest.fileName} is still being inspected`
  if (newest.pictures.length === 0) return `${newest.fileName} cannot be shown`
  return `The picture of ${newest.fileName} cannot be read now`
}

const stations: Readonly<Record<ProductionStatus, string>> = {
  PREPRESS: 'Prepress',
  QUEUED: 'Queued',
  PRINTING: 'Printing',
  FINISHING: 'Finishing',
  PACKING: 'Packing',
  COMPLETE: 'Complete',
  ON_HOLD: 'On hold',
  UNKNOWN: 'Unknown',
}

function stationInWords({ productionStatus, heldProductionStatus }: Row): string {
  const reached = productionStatus === 'ON_HOLD' ? heldProductionStatus : productionStatus
  return reached === null ? 'Not started' : stations[reached]
}

const proofWords: Readonly<Record<ProofStatus, string>> = {
  NOT_CREATED: 'To be made',
  PENDING_REVIEW: 'In review',
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  UNKNOWN: 'Unknown',
}

function proofInWords({ proofStatus, proofRevision }: Row): string {
  if (proofStatus === null) return 'None'
  return joined(', ', proofWords[proofStatus], proofRevision === null ? null : `rev. ${proofRevision}`)
}

/** What whoever takes up the ticket must know first. */
function alertsOf(row: Row): string[] {
  const why = row.held && joined(', ', row.held.reason, row.held.comment)
  const isHeld = row.productionStatus === 'ON_HOLD' || row.orderStatus === 'ON_HOLD'
  const { backorderQuantity, priority, problem } = row
  return [
    ...(row.isCancelled ? ['Cancelled: do not make it'] : []),
    ...(row.orderStatus === 'PENDING_APPROVAL' ? ['The order waits for approval'] : []),
    ...(isHeld ? [`On hold${why ? `: ${why}` : ''}`] : []),
    ...row.overrides.map(overrideInWords),
    ...(problem === null ? [] : [`Problem: ${problem}`]),
    ...(priority === 'RUSH' ? ['Rush'] : priority === 'HIGH' ? ['High priority'] : []),
    ...(backorderQuantity ? [`${backorderQuantity.toLocaleString('en-US')} pieces are on back order`] : []),
  ]
}

/** Such as `Override by mara (proof not approved): Approved by telephone or mail`. */
function overrideInWords({ author, guards, reason, comment }: Row['overrides'][number]): string {
  const passed = guards.map((guard) => guard.replaceAll('_', ' ')).join(', ')
  return joined(': ', `Override by ${author} (${passed})`, joined(', ', reason, comment))
}

/** What was filled into the product's template. */
function fieldsOf(variables: unknown): Choice[] {
  if (typeof variables !== 'object' || variables === null) return []
  return Object.entries(variables)
    .slice(0, fieldsMax)
    .map(([name, value]) => ({ name, choice: typeof value === 'string' ? value : JSON.stringify(value) }))
}
