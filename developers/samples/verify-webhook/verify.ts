import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether these bytes are a delivery of ours. `header` is Platform-Signature; the secret is used as it stands. */
export function verify(body: Uint8Array, header: string, secret: string, now = Date.now()): boolean {
  const parts = new Map(header.split(',').map((part) => part.split('=', 2) as [string, string]))
  const [time, signature] = [parts.get('t'), parts.get('v1')]
  if (!time || !signature || Math.abs(now / 1000 - Number(time)) > 300) return false
  const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
