import { sql } from '../../../database/sql.ts'
import { addressLines, type Place } from '../../../vocabulary/address-lines.ts'
import { serviceInWords } from '../../../vocabulary/service-name.ts'
import type { Block } from '../look/letter.ts'
import type { LetterMaker } from './letter-maker.ts'
import { dayText } from './words.ts'

type Shipment = {
  orderNumber: number
  partnerOrderId: string | null
  provider: string | null
  serviceName: string | null
  shipTo: Place | null
  deliveryFrom: string | null
  deliveryTo: string | null
  timeZone: string
  isLast: boolean
  items: { name: string; jobName: string | null; quantity: number }[]
  packages: { trackingNumber: string | null; trackingUrl: string | null }[]
}

/** To the address for ship notifications, which may be that of somebody who did not order: no price, no other shipment. */
export const shipmentShipped: LetterMaker<'shipment_shipped'> = async ({ reads }, { about }) => {
  // The primary keys of shipment, shipment_line, order_line and shipment_package, and shipment_by_order
  const shipment = await reads.row<Shipment>(sql`
    select shipment.order_number, orders.partner_order_id, shipment.provider, shipment.service_name, shipment.ship_to,
      shipment.estimated_delivery_from as delivery_from, shipment.estimated_delivery_to as delivery_to, site.time_zone,
      not exists (
        select from shipment other where other.order_number = shipment.order_number and other.status = 'OPEN'
          and not other.rework
      ) as is_last, (
        select coalesce(json_agg(json_build_object('name', product_name, 'jobName', job_name,
          'quantity', shipment_line.quantity) order by line_number), '[]')
        from shipment_line join visible_order_line using (order_number, line_number)
        where shipment_line.shipment_number = shipment.shipment_number
      ) as items, (
        select coalesce(json_agg(json_build_object('trackingNumber', tracking_number, 'trackingUrl', tracking_url)
          order by package_number), '[]')
        from shipment_package where shipment_package.shipment_number = shipment.shipment_number
      ) as packages
    from shipment join orders using (order_number) join site on site.site_id = orders.site_id
    where shipment.shipment_number = ${about.shipmentNumber} and shipment.status = 'SHIPPED'`)
  if (!shipment) return undefined
  const { orderNumber, isLast, items, packages } = shipment
  const carrier = serviceInWords(shipment.provider, shipment.serviceName)
  const expected = expectedText(shipment)
  const blocks: Block[] = [
    {
      is: 'text',
      text: isLast
        ? 'Your goods have left us and are on their way to you.'
        : 'Some of your goods have left us and are on their way to you. The rest follows.',
    },
    {
      is: 'facts',
      rows: [
        ['Order', String(orderNumber)],
        ...(shipment.partnerOrderId === null ? [] : [['Your reference', shipment.partnerOrderId] as const]),
        ...(carrier === null ? [] : [['Carrier', carrier] as const]),
        ...(expected === null ? [] : [['Expected', expected] as const]),
        ...packages
          .filter(({ trackingNumber }) => trackingNumber !== null)
          .map(({ trackingNumber }) => ['Tracking number', trackingNumber!] as const),
      ],
    },
    ...packages.flatMap(({ trackingNumber, trackingUrl }): Block[] =>
      trackingUrl === null || !/^https?:\/\//.test(trackingUrl) || !URL.canParse(trackingUrl)
        ? []
        : [
            {
              is: 'button',
              label: packages.length === 1 ? 'Track the parcel' : `Track ${trackingNumber ?? 'the parcel'}`,
              url: trackingUrl,
            },
          ],
    ),
    {
      is: 'items',
      items: items.map(({ name, jobName, quantity }) => ({
        name,
        details: jobName === null ? [] : [jobName],
        quantity,
        amount: null,
      })),
      totals: [],
    },
    ...(shipment.shipTo ? [{ is: 'address', title: 'To', lines: addressLines(shipment.shipTo) } as const] : []),
  ]
  return {
    letter: {
      subject: `Order ${orderNumber}: your goods are on their way`,
      preheader: expected === null ? 'They have left us.' : `They have left us. Expected: ${expected}.`,
      title: 'Your goods are on their way',
      blocks,
    },
  }
}

function expectedText({ deliveryFrom, deliveryTo, timeZone }: Shipment): string | null {
  if (deliveryFrom === null && deliveryTo === null) return null
  const [from, to] = [deliveryFrom ?? deliveryTo!, deliveryTo ?? deliveryFrom!].map((day) => dayText(day, timeZone))
  return from === to ? from! : `${from} to ${to}`
}
