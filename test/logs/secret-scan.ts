/**
 * Looks for secrets in a text that arrives piece by piece, such as a log of any length. A secret is found as it is, and in
 * base64, base64url, hexadecimal and percent-encoding, also where it is only a part of what was encoded.
 */
export type SecretScan = {
  /** @param what names the secret in a finding; the secret itself is never shown */
  keep: (what: string, secret: string | Uint8Array) => void
  /** The text waits until it is asked what was found, since it may hold a secret that is learned later. */
  read: (text: string) => void
  /** what was found, as `a signing secret, in hexadecimal` */
  found: () => string[]
  /** characters read */
  length: () => number
  /** secrets kept */
  secrets: () => number
}

const lengthMin = 10

export function secretScan(): SecretScan {
  const needles = new Map<string, string>()
  const kept = new Set<string>()
  const found = new Set<string>()
  let length = 0
  let longest = 0
  /** the end of what was looked at, since a secret may go on in the next piece */
  let rest = ''
  let waiting: string[] = []

  function look(): void {
    const text = rest + waiting.join('')
    for (const [needle, what] of needles) if (text.includes(needle)) found.add(what)
    // A copy: a slice would keep all the text that came before it.
    rest = Buffer.from(text.slice(-longest)).toString()
    waiting = []
  }

  return {
    keep: (what, secret) => {
      const bytes = Buffer.from(secret)
      if (bytes.length < lengthMin) throw new Error(`${what} is too short to be looked for`)
      kept.add(what)
      for (const [form, needle] of encodings(bytes)) {
        needles.set(needle, `${what}, ${form}`)
        longest = Math.max(longest, needle.length)
      }
    },
    read: (text) => {
      length += text.length
      waiting.push(text)
    },
    found: () => {
      look()
      return [...found].toSorted()
    },
    length: () => length,
    secrets: () => kept.size,
  }
}

function* encodings(bytes: Buffer): Generator<[form: string, needle: string]> {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) {
    yield ['as it is', text]
    yield ['as JSON', JSON.stringify(text).slice(1, -1)]
    yield ['percent-encoded', encodeURIComponent(text)]
  }
  const hex = bytes.toString('hex')
  yield ['in hexadecimal', hex]
  yield ['in upper-case hexadecimal', hex.toUpperCase()]
  yield ['with every byte percent-encoded', hex.toUpperCase().replaceAll(/../g, '%$&')]
  // Where the secret begins within a group of three bytes decides how it looks; its edges share letters with what is around.
  for (const before of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const whole = padded.subarray(0, padded.length - (padded.length % 3))
    const encoded = whole.toString('base64').slice(before === 0 ? 0 : 4)
    yield [`in base64`, encoded]
    yield [`in base64url`, encoded.replaceAll('+', '-').replaceAll('/', '_')]
  }
}
