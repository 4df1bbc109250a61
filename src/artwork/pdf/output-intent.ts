import type { Materials } from './content/materials.ts'
import { Dict, type Stream } from './syntax/objects.ts'

/** The printing condition for which a file is prepared (14.11.5). */
export type OutputIntent = {
  /** as the first four letters of its class say: `CMYK`, `RGB`, `GRAY`; undefined when only a name is given */
  colours: string | undefined
  profile: Uint8Array | undefined
}

const signatureAt = 16
const shortestProfile = 128

/** The intent for print (PDF/X) if there is one, otherwise the first; undefined when there is none. */
export function outputIntentOf(materials: Materials): OutputIntent | undefined {
  const intents = (materials.file.catalog?.list('OutputIntents') ?? []).filter((each) => each instanceof Dict)
  const intent = intents.find((each) => each.name('S') === 'GTS_PDFX') ?? intents[0]
  if (intent === undefined) return undefined
  const profile = profileBytes(intent.stream('DestOutputProfile'), materials)
  return { colours: profile && coloursOf(profile), profile }
}

/** An ICC profile; undefined when it is none. */
export function profileBytes(stream: Stream | undefined, materials: Materials): Uint8Array | undefined {
  const bytes = stream && materials.decoded(stream)
  return bytes !== undefined && bytes.length >= shortestProfile ? bytes : undefined
}

/** The colour space of the data, from the header of the profile (ICC.1, 7.2.8). */
function coloursOf(profile: Uint8Array): string {
  return String.fromCharCode(...profile.subarray(signatureAt, signatureAt + 4)).trim()
}
