/**
 * A shipping service as people read it, such as `Parcelway Ground` or `DHL Paket`: the carrier stands before the name of the
 * service unless that contains it. null if neither is known.
 */
export function serviceInWords(provider: string | null, serviceName: string | null): string | null {
  const [carrier, service] = [provider?.trim() ?? '', serviceName?.trim() ?? '']
  if (wordsOf(service).includes(wordsOf(carrier))) return service || null
  return service === '' ? carrier : `${carrier} ${service}`
}

/** Between spaces, so that `UP` is not found in `UPS Ground`. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `.replace('  ', ' ')
}
