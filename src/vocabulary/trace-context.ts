/**
 * Where a trace goes on, as the header `traceparent` of W3C Trace Context says it, in version 00: the id of the trace, the
 * id of the span that causes what follows, and flags.
 */
export type TraceContext = string

const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/**
 * Reads the header of a caller. One that is not valid is as if there were none. Later versions are read as far as this
 * one knows them, and of the flags only those that it knows are kept.
 */
export function readTraceparent(header: string | string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId, spanId, flags, rest] = form.exec(header) ?? []
  if (flags === undefined || (version === '00' && rest !== undefined)) return undefined
  return writeTraceparent({ traceId: traceId!, spanId: spanId!, flags: Number.parseInt(flags, 16) })
}

/** `sampled` and, of level 2, `random`. */
const knownFlags = 0b11

export function writeTraceparent(parts: { traceId: string; spanId: string; flags: number }): TraceContext {
  return `00-${parts.traceId}-${parts.spanId}-0${parts.flags & knownFlags}`
}

export function partsOf(context: TraceContext): { traceId: string; spanId: string; flags: number } {
  const [, traceId, spanId, flags] = context.split('-')
  return { traceId: traceId!, spanId: spanId!, flags: Number.parseInt(flags!, 16) }
}
