import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * EasyPost and Stripe Tax on loopback, made from their published documentation: what they take, what they refuse and the
 * shape of their answers (https://docs.easypost.com/docs/shipments, https://docs.stripe.com/api/tax/calculations).
 */
export type Company = {
  url: string
  key: string
  /** what was asked, as `POST /shipments` */
  asked: string[]
  /** while set, every call is answered with it */
  fault:
    | {
        status: number
        body: object | string
        /** only calls to paths that end so */
        at?: string
        /** what was asked is done all the same */
        done?: true
      }
    | undefined
  close: () => Promise<unknown>
}

type Answer = { status: number; body: object | Buffer }
type Asked = { method: string; path: string; body: string; request: IncomingMessage }

async function company(key: string, answer: (asked: Asked, url: string) => Answer): Promise<Company> {
  let url = ''
  const server: Server = createServer(async (request, response) => {
    const asked = { method: request.method!, path: request.url!, body: await text(request), request }
    each.asked.push(`${asked.method} ${asked.path}`)
    const fault = asked.path.endsWith(each.fault?.at ?? '') ? each.fault : undefined
    const given = fault && !fault.done ? fault : answer(asked, url)
    const { status, body } = fault ?? given
    const isFile = Buffer.isBuffer(body)
    response
      .writeHead(status, { 'Content-Type': isFile ? 'application/pdf' : 'application/json' })
      .end(isFile || typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const each: Company = {
    url,
    key,
    asked: [],
    fault: undefined,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
  return each
}

const easyPostFault = (code: string, message: string) => ({ error: { code, message, errors: [] } })

type Rate = { id: string; carrier: string; service: string; rate: string; currency: string; delivery_days: number }
type Shipment = {
  id: string
  reference: string | null
  from_address: Record<string, string | null>
  to_address: Record<string, string | null>
  rates: Rate[]
  selected_rate: Rate | null
  tracking_code: string | null
  tracker: { public_url: string } | null
  postage_label: { label_url: string } | null
  refund_status: string | null
}

/** Two carriers: Ground costs 5 and 10 cents an ounce, Express three times as much. Nobody delivers to a ZIP of 00000. */
export async function startEasyPost(): Promise<Company & { shipments: Map<string, Shipment>; bought: string[] }> {
  const key = 'EZTK-test-key-of-the-works'
  const shipments = new Map<string, Shipment>()
  const bought: string[] = []
  const shown = (status: number, shipment: Shipment | undefined): Answer =>
    shipment
      ? { status, body: { object: 'Shipment', mode: 'test', messages: [], ...shipment } }
      : { status: 404, body: easyPostFault('NOT_FOUND', 'The requested resource could not be found.') }

  const started = await company(key, ({ method, path, body, request }, url) => {
    if (path === '/labels/label.pdf') return { status: 200, body: Buffer.from('%PDF-1.4\nlabel') }
    if (request.headers.authorization !== `Basic ${Buffer.from(`${key}:`).toString('base64')}`) {
      return { status: 401, body: easyPostFault('APIKEY.INACTIVE', 'This api key is no longer active.') }
    }
    const [, id, verb] = /^\/shipments\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
    if (method === 'POST' && path === '/shipments') {
      const { reference = null, from_address: from, to_address: to, parcel } = JSON.parse(body).shipment
      if (!from?.zip || !to?.zip || !(parcel?.weight > 0)) {
        return { status: 422, body: easyPostFault('SHIPMENT.INVALID_PARAMS', 'Unable to create shipment.') }
      }
      const rate = (carrier: string, service: string, price: number, days: number): Rate => ({
        id: `rate_${randomBytes(16).toString('hex')}`,
        carrier,
        service,
        rate: price.toFixed(2),
        currency: 'USD',
        delivery_days: days,
      })
      const ground = 5 + parcel.weight * 0.1
      const rates =
        to.zip === '00000' ? [] : [rate('USPS', 'GroundAdvantage', ground, 5), rate('UPS', 'NextDayAir', ground * 3, 1)]
      const made: Shipment = {
        id: `shp_${randomBytes(16).toString('hex')}`,
        reference,
        from_address: from,
        to_address: to,
        rates,
        selected_rate: null,
        tracking_code: null,
        tracker: null,
        postage_label: null,
        refund_status: null,
      }
      shipments.set(made.id, made)
      return shown(201, made)
    }
    const shipment = shipments.get(id ?? '')
    if (method === 'GET') return shown(200, shipment)
    if (shipment && verb === 'buy') {
      if (shipment.postage_label) {
        return { status: 422, body: easyPostFault('SHIPMENT.POSTAGE.EXISTS', 'Postage already exists.') }
      }
      if (!shipment.to_address.street1) {
        return { status: 422, body: easyPostFault('SHIPMENT.POSTAGE.FAILURE', 'to_address: street1: cannot be blank') }
      }
      shipment.selected_rate = shipment.rates.find((each) => each.id === JSON.parse(body).rate.id) ?? null
      bought.push(shipment.id)
      shipment.tracking_code = `94001000000000000000${String(bought.length).padStart(2, '0')}`
      shipment.tracker = { public_url: `https://track.easypost.example/${shipment.tracking_code}` }
      shipment.postage_label = { label_url: `${url}/labels/label.pdf` }
      return shown(200, shipment)
    }
    if (shipment && verb === 'refund') {
      shipment.refund_status = shipment.postage_label ? 'submitted' : 'not_applicable'
      return shown(200, shipment)
    }
    return shown(404, undefined)
  })
  return Object.assign(started, { shipments, bought })
}

/** Washington taxes goods, handling and delivery at 10.35 percent in two parts, Oregon nothing, Pennsylvania goods at 6. */
export async function startStripeTax(): Promise<Company> {
  const key = 'sk_test_key_of_the_works'
  const levied: Record<string, [goods: string[], delivery: string[]]> = {
    WA: [
      ['6.5', '3.85'],
      ['6.5', '3.85'],
    ],
    OR: [[], []],
    PA: [['6'], []],
  }
  return company(key, ({ method, path, body, request }) => {
    if (request.headers.authorization !== `Bearer ${key}`) {
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } }
    }
    if (method !== 'POST' || path !== '/tax/calculations') return { status: 404, body: { error: { type: 'x' } } }
    const form = new URLSearchParams(body)
    const rates = levied[form.get('customer_details[address][state]') ?? '']
    if (!rates || form.get('customer_details[address][postal_code]') === '00000') {
      const error = { code: 'customer_tax_location_invalid', type: 'invalid_request_error', message: 'not recognized' }
      return { status: 400, body: { error } }
    }
    const taxed = (field: string, percents: readonly string[]) => {
      const amount = Number(form.get(field))
      const levies = percents.map((percentage_decimal) => ({
        amount: Math.round((amount * Number(percentage_decimal)) / 100),
        taxability_reason: 'standard_rated',
        taxable_amount: amount,
        tax_rate_details: { display_name: 'Retail Sales and Use Tax', percentage_decimal, tax_type: 'sales_tax' },
      }))
      const none = { amount: 0, taxability_reason: 'not_collecting', taxable_amount: 0, tax_rate_details: null }
      return {
        amount,
        amount_tax: levies.reduce((sum, each) => sum + each.amount, 0),
        tax_behavior: form.get(field.replace('[amount]', '[tax_behavior]')),
        tax_breakdown: levies.length > 0 ? levies : [none],
      }
    }
    const line = (index: number, percents: readonly string[]) => ({
      object: 'tax.calculation_line_item',
      reference: form.get(`line_items[${index}][reference]`),
      quantity: 1,
      ...taxed(`line_items[${index}][amount]`, percents),
    })
    const data = [line(0, rates[0]), line(1, rates[1])]
    const shipping_cost = taxed('shipping_cost[amount]', rates[1])
    const currency = form.get('currency')
    return {
      status: 200,
      body: {
        object: 'tax.calculation',
        currency,
        line_items: { object: 'list', data, has_more: false },
        shipping_cost,
      },
    }
  })
}
