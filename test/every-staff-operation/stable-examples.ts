import { createHash } from 'node:crypto'
import type { JsonObject, Json } from '../../src/publish/schemas.ts'
import type { StaffOperation } from '../../src/staff/operation.ts'
import type { Answer } from '../world/partner.ts'
import { plainNames } from './plain-names.ts'
import type { Sample } from './samples.ts'

/**
 * What a sample sent and got, as documents may show it and as every run gives it: secrets are plainly false, ids and
 * instants do not depend on the run, long lists are cut, and a file is named instead of shown.
 */
export type StaffExample = { body?: Json; status: number; answer: Json }

/** The instant that stands for now. */
const shownNow = Date.parse('2026-03-02T14:05:00.000Z')
/** Instants nearer to now than this move with it; others were chosen by somebody. */
const movingMilliseconds = 400 * 86_400_000

const recordsMax = 2
const linesMax = 4

const uuid = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/g
const instant = /\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z/g
const clientId = /(?<=\bpc_)[a-z0-9]{20,24}\b/g
const secretKey = /(?:secret|token|password)$/i

export function stableExample(
  { id, upload, download }: StaffOperation,
  sample: Sample,
  { status, body }: Answer,
): StaffExample {
  const stable = stabilizer(id)
  const isText = download === undefined || download.mediaType.startsWith('text/')
  const answer = isText ? stable(body as Json) : `(the bytes of the ${download.mediaType} file)`
  if (sample.body === undefined) return { status, answer }
  const isFile = upload !== undefined && typeof sample.body !== 'string'
  return { body: isFile ? fileOf(sample) : stable(sample.body as Json), status, answer }
}

function fileOf({ headers }: Sample): string {
  return `(the bytes of the ${headers?.['content-type'] ?? ''} file)`
}

/** One per example, so that an id is the same wherever the example names it. */
function stabilizer(operationId: string) {
  const ids = new Map<string, string>()
  const now = Date.now()

  const idFor = (given: string): string => {
    // Made by hand, as in the demo data.
    if (/^0{8}-/.test(given)) return given
    const known = ids.get(given)
    if (known !== undefined) return known
    const hex = createHash('sha256').update(`${operationId} ${ids.size}`).digest('hex')
    const made = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    ids.set(given, made)
    return made
  }

  const instantFor = (given: string): string => {
    const away = Date.parse(given) - now
    if (Math.abs(away) > movingMilliseconds) return given
    const shown = new Date(shownNow + Math.round(away / 60_000) * 60_000).toISOString()
    return given.includes('T') ? shown : shown.slice(0, 10)
  }

  const textFor = (text: string, key: string): string => {
    if (secretKey.test(key)) return `not-a-real-${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (key === 'nextCursor') return 'cursor-of-the-next-page'
    if (text.startsWith('-----BEGIN')) return '-----BEGIN CERTIFICATE-----\n(base64)\n-----END CERTIFICATE-----\n'
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return instantFor(text)
    return plainNames(text)
      .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, 'https://partner-commerce.test')
      .replaceAll(/[?#]\w[^\s"]*(?:token|signature|expires|sig|until)=[^\s"]*/gi, '?signature=not-a-real-signature')
      .replaceAll(uuid, idFor)
      .replaceAll(instant, instantFor)
      .replaceAll(clientId, (given) => idFor(given).replaceAll('-', '').slice(0, 20))
  }

  const stable = (value: Json, key = ''): Json => {
    if (typeof value === 'string') return value.includes('\n') ? firstLines(textFor(value, key)) : textFor(value, key)
    if (Array.isArray(value)) {
      const isRecords = value.some((each) => typeof each === 'object')
      return (isRecords ? value.slice(0, recordsMax) : value).map((each) => stable(each, key))
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value as JsonObject).filter(([, each]) => each !== undefined)
    return Object.fromEntries(entries.map(([name, each]) => [plainNames(name), stable(each, name)]))
  }
  return stable
}

/** The head of a CSV file. */
function firstLines(text: string): string {
  const lines = text.split('\n')
  return lines.length > linesMax + 1 ? `${lines.slice(0, linesMax).join('\n')}\n` : text
}
