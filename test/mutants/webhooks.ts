import type { Mutant } from './mutant.ts'

const courier = 'src/webhooks/webhook-courier.test.ts'
const publisher = 'src/webhooks/event-publisher.test.ts'

export const webhooks: readonly Mutant[] = [
  {
    says: 'a redirect counts as delivered',
    in: 'src/webhooks/attempt.ts',
    from: 'const isDelivered = status >= 200 && status <= 299',
    to: 'const isDelivered = status >= 200 && status <= 399',
    caughtBy: 'src/webhooks/attempt.test.ts',
  },
  {
    says: 'the signature leaves out its time',
    in: 'src/webhooks/signature.ts',
    from: "createHmac('sha256', secret).update(`${t}.`).update(rawBody)",
    to: "createHmac('sha256', secret).update(rawBody)",
    caughtBy: 'src/webhooks/signature.test.ts',
  },
  {
    says: 'a signature from the future is accepted',
    in: 'src/webhooks/signature.ts',
    from: 'Math.abs(nowUnixSeconds - Number(t)) > toleranceSeconds',
    to: 'nowUnixSeconds - Number(t) > toleranceSeconds',
    caughtBy: 'src/webhooks/signature.test.ts',
  },
  {
    says: 'a payload without a partner order id carries null',
    in: 'src/webhooks/payload.ts',
    from: 'partnerOrderId: partnerOrderId ?? undefined',
    to: 'partnerOrderId',
    caughtBy: publisher,
  },
  {
    says: 'an event of an order names a shipment',
    in: 'src/webhooks/payload.ts',
    from: "type.startsWith('shipment.') ? (shipmentNumber ?? undefined) : undefined",
    to: '(shipmentNumber ?? undefined)',
    caughtBy: publisher,
  },
  {
    says: 'a delivery with an outcome gets a second one',
    in: 'src/webhooks/verdict-recorder.ts',
    from: 'where delivery.delivery_id = ended.delivery_id and delivery.outcome is null`)',
    to: 'where delivery.delivery_id = ended.delivery_id`)',
    caughtBy: 'src/webhooks/verdict-recorder.test.ts',
  },
  {
    says: 'outcomes that could not be written are dropped',
    in: 'src/webhooks/verdict-recorder.ts',
    from: 'waiting = [...ended, ...waiting]',
    to: 'waiting = [...waiting]',
    caughtBy: courier,
  },
  {
    says: 'a leased delivery is claimed by a second courier',
    in: 'src/webhooks/webhook-courier.ts',
    from: `            and (leased_until is null or leased_until < now())
          order by delivery_id`,
    to: `          order by delivery_id`,
    caughtBy: courier,
  },
  {
    says: 'a site withdrawn before the delivery is still told',
    in: 'src/webhooks/webhook-courier.ts',
    from: "          ) then 'site_not_granted'",
    to: '          ) then null',
    caughtBy: courier,
  },
  {
    says: 'any granted site is enough for a delivery',
    in: 'src/webhooks/webhook-courier.ts',
    from: 'partner_site.partner_id = endpoint.partner_id and partner_site.site_id = delivery.site_id',
    to: 'partner_site.partner_id = endpoint.partner_id',
    caughtBy: courier,
  },
  {
    says: 'a type that the endpoint gave up is still sent',
    in: 'src/webhooks/webhook-courier.ts',
    from: "          when delivery.type <> all(endpoint.types) then 'not_subscribed'\n",
    to: '',
    caughtBy: courier,
  },
  {
    says: 'a test ping is skipped for its type',
    in: 'src/webhooks/webhook-courier.ts',
    from: '          when delivery.test_ping then null\n',
    to: '',
    caughtBy: courier,
  },
  {
    says: 'the pages of deliveries repeat their edge',
    in: 'src/webhooks/deliveries.ts',
    from: 'and (created_on, delivery_id) < (',
    to: 'and (created_on, delivery_id) <= (',
    caughtBy: 'src/webhooks/webhook-courier.test.ts',
  },
]
