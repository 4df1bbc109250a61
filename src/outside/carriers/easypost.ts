import { isJsonObject, type JsonObject } from '../../vocabulary/json.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { companyNamed } from '../company.ts'
import type { Egress } from '../egress/guarded-request.ts'
import type { BoughtLabel, CarrierOffer, CarrierRefusal, Carriers, Place, PostalAddress } from './carriers.ts'

/**
 * EasyPost, by its published API (https://docs.easypost.com/docs/shipments): a shipment is made to see its rates, and
 * bought to get its label. The key is the user name of Basic authentication.
 */

export const easyPostUrl = 'https://api.easypost.com/v2'

const { request, objectIn, notUnderstood } = companyNamed('EasyPost')

const answerMilliseconds = 5_000
/** A carrier draws the label while the call waits. */
const labelMilliseconds = 20_000
const answerBytesMax = 1_048_576
const labelBytesMax = 4_194_304

export function easyPost(egress: Pick<Egress, 'request'>, { url, key }: { url: string; key: string }): Carriers {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`

  /** What it answers, or why it does not take what was sent. @throws Outage for every other status */
  async function ask(
    method: 'GET' | 'POST',
    path: string,
    body?: JsonObject,
    timeoutMilliseconds = answerMilliseconds,
  ): Promise<JsonObject | Refused> {
    const answer = await request(egress, url + path, {
      method,
      timeoutMilliseconds,
      responseBytesMax: answerBytesMax,
      headers: {
        Accept: 'application/json',
        Authorization: authorization,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    })
    if (answer.status === 200 || answer.status === 201) return objectIn(answer.body)
    if (!faultsOfWhatWasSent.has(answer.status)) throw new Outage(`EasyPost answered ${answer.status}`)
    const { error } = objectIn(answer.body)
    if (!isJsonObject(error)) throw notUnderstood()
    const { code, message } = error
    return {
      code: typeof code === 'string' ? code : '',
      refused: typeof message === 'string' && message !== '' ? message.slice(0, 500) : 'no reason was given',
    }
  }

  async function labelAt(target: string): Promise<Buffer> {
    const bounds = { timeoutMilliseconds: labelMilliseconds, responseBytesMax: labelBytesMax }
    // The store of the labels is another host, which must not see the key.
    const { status, body } = await request(egress, target, bounds)
    if (status !== 200) throw new Outage(`the store of EasyPost's labels answered ${status}`)
    if (body.toString('latin1', 0, 5) !== '%PDF-') throw notUnderstood()
    return body
  }

  async function labelOf(shipment: JsonObject): Promise<BoughtLabel> {
    const { tracking_code: trackingNumber, selected_rate: rate, postage_label: label, tracker } = shipment
    if (!isJsonObject(rate) || !isJsonObject(label) || typeof trackingNumber !== 'string') throw notUnderstood()
    const target = label.label_pdf_url ?? label.label_url
    if (typeof target !== 'string') throw notUnderstood()
    const { price, currency } = offerOf(rate)
    const page = isJsonObject(tracker) ? tracker.public_url : null
    return {
      trackingNumber,
      trackingUrl: typeof page === 'string' && page.startsWith('https://') ? page : null,
      price,
      currency,
      pdf: await labelAt(target),
    }
  }

  return {
    async offers({ from, to, weightOunces }) {
      const shipment = { from_address: placeOf(from), to_address: placeOf(to), parcel: parcelOf(weightOunces) }
      const answer = await ask('POST', '/shipments', { shipment })
      return isRefused(answer) ? [] : offersIn(answer)
    },

    async announce({ from, to, weightOunces }, reference) {
      const shipment = {
        reference,
        from_address: addressOf(from),
        to_address: addressOf(to),
        parcel: parcelOf(weightOunces),
        options: { label_format: 'PDF', label_size: '4x6' },
      }
      const answer = await ask('POST', '/shipments', { shipment })
      if (isRefused(answer)) return reasonOf(answer)
      if (typeof answer.id !== 'string') throw notUnderstood()
      return { carrierShipmentId: answer.id, offers: offersIn(answer) }
    },

    async buy(carrierShipmentId, offerId) {
      const path = `/shipments/${encodeURIComponent(carrierShipmentId)}`
      const answer = await ask('POST', `${path}/buy`, { rate: { id: offerId } }, labelMilliseconds)
      if (!isRefused(answer)) return labelOf(answer)
      if (answer.code !== 'SHIPMENT.POSTAGE.EXISTS') return reasonOf(answer)
      // A refusal would end a label that is paid for.
      const bought = await ask('GET', path)
      if (isRefused(bought)) throw new Outage(`EasyPost does not show a label that it sold: ${bought.refused}`)
      return labelOf(bought)
    },

    async giveBack(carrierShipmentId) {
      const answer = await ask('POST', `/shipments/${encodeURIComponent(carrierShipmentId)}/refund`)
      if (isRefused(answer)) return reasonOf(answer)
      const { refund_status: status } = answer
      if (status === 'submitted' || status === 'refunded') return { accepted: true }
      return { refused: `the carrier's answer was ${String(status)}` }
    },
  }
}

type Refused = CarrierRefusal & { code: string }

/** What was sent cannot be done; any other status is the company's trouble, or that of the account. */
const faultsOfWhatWasSent: ReadonlySet<number> = new Set([400, 402, 404, 409, 422])

function isRefused(answer: JsonObject | Refused): answer is Refused {
  return 'refused' in answer
}

function reasonOf({ refused }: Refused): CarrierRefusal {
  return { refused }
}

function placeOf({ countryCode, stateCode, postalCode }: Place): JsonObject {
  return { country: countryCode, state: stateCode, zip: postalCode }
}

function addressOf(address: PostalAddress): JsonObject {
  const { name, company, address1, address2, city, phone, email } = address
  return { name, company, street1: address1, street2: address2, city, phone, email, ...placeOf(address) }
}

/** In tenths of an ounce, which is as exact as EasyPost weighs, and never less than the parcel. */
function parcelOf(weightOunces: string): JsonObject {
  return { weight: Math.max(Math.ceil(Number((Number(weightOunces) * 10).toFixed(6))), 1) / 10 }
}

function offersIn({ rates }: JsonObject): CarrierOffer[] {
  if (!Array.isArray(rates)) throw notUnderstood()
  return rates.map((rate) => {
    if (!isJsonObject(rate)) throw notUnderstood()
    return offerOf(rate)
  })
}

function offerOf({ id, carrier, service, rate, currency, delivery_days: days }: JsonObject): CarrierOffer {
  const texts = [id, carrier, service, currency]
  if (texts.some((text) => typeof text !== 'string') || !/^\d{1,9}(\.\d+)?$/.test(String(rate))) throw notUnderstood()
  return {
    offerId: id as string,
    carrier: carrier as string,
    service: service as string,
    price: String(rate),
    currency: currency as string,
    days: Number.isSafeInteger(days) ? (days as number) : null,
  }
}
