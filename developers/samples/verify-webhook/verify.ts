import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether these bytes are a delivery of ours. `header` is Platform-Signature; the secret is used as it stands. */
export function verify(body: Uint8Array, header: string, secret: string, now = Date.now()): boolean {
  const parts = header.split(',').map((part) => part.split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1]
  if (!time || !(Math.abs(now / 1000 - Number(time)) <= 300)) return false
  const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'))
  return parts.some(([name, signature = '']) => {
    const given = Buffer.from(signature)
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
