import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Environment } from '../vocabulary/environment.ts'
import { partsOf, writeTraceparent, type TraceContext } from '../vocabulary/trace-context.ts'
import type { TraceSettings, Tracing } from '../vocabulary/tracing.ts'

/**
 * Traces, sent to a collector by OTLP over HTTP. Names follow OpenTelemetry's semantic conventions. This file is loaded
 * only where an endpoint is set. The span that is under way is the one fact that is not passed on as an argument (decision
 * 0042): nothing the service does depends on it.
 */

/** A collector that does not answer holds up nobody: what it did not take by then is dropped. */
const exportMilliseconds = 5_000
const closeMilliseconds = 2_000

const kinds = {
  CLIENT: SpanKind.CLIENT,
  PRODUCER: SpanKind.PRODUCER,
  CONSUMER: SpanKind.CONSUMER,
  INTERNAL: SpanKind.INTERNAL,
} as const

export function openTracing(
  settings: TraceSettings,
  build: { version: string; role: string },
  log: Logger,
): { of: (environment: Environment | 'STAFF') => Tracing; close: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: settings.headers,
    timeoutMillis: exportMilliseconds,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': build.version,
      'service.instance.id': `${build.role}-${process.pid}`,
    }),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: 2_000 },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: tellingExporter(exporter, log), exportTimeoutMillis: exportMilliseconds }),
    ],
  })
  const tracer = provider.getTracer('partner-commerce', build.version)
  const underWay = new AsyncLocalStorage<Span>()
  return {
    of: (environment) => tracingOf(tracer, underWay, { 'partner_commerce.environment': environment }),
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, closeMilliseconds)
      await Promise.race([provider.shutdown().catch(() => undefined), promise])
      clearTimeout(timer)
    },
  }
}

function samplerOf({ sampler, ratio }: Pick<TraceSettings, 'sampler' | 'ratio'>): Sampler {
  const name = sampler.replace('parentbased_', '')
  const root =
    name === 'always_on'
      ? new AlwaysOnSampler()
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** Says once that spans cannot be sent, and once that they can again. The error may repeat what was sent. */
function tellingExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let isTold = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isTold) log.warn({ cause: causeOf(result.error) }, 'traces cannot be sent to the collector')
        if (!failed && isTold) log.info('traces are sent to the collector again')
        isTold = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

function tracingOf(tracer: Tracer, underWay: AsyncLocalStorage<Span>, always: Attributes): Tracing {
  function begin(name: string, kind: SpanKind, attributes: Attributes, more: SpanOptions, parent: Context): Span {
    return tracer.startSpan(name, { ...more, kind, attributes: { ...always, ...attributes } }, parent)
  }

  /** Work that outlives the span around it, such as what a cache does later, is not part of it. */
  function open(): Span | undefined {
    const span = underWay.getStore()
    return span?.isRecording() ? span : undefined
  }

  async function within<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
    try {
      return await underWay.run(span, work)
    } catch (error) {
      fail(span, causeOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  const part: Tracing['part'] = (kind, name, told, work) => {
    const around = open()
    if (!around) return work()
    return within(begin(name, kinds[kind], told(), {}, trace.setSpan(ROOT_CONTEXT, around)), work)
  }

  return {
    serve: (method, route, operation, parent) => {
      const attributes = {
        'http.request.method': method,
        ...(route !== undefined && { 'http.route': route }),
        'partner_commerce.operation': operation,
      }
      const name = route === undefined ? method : `${method} ${route}`
      const span = begin(name, SpanKind.SERVER, attributes, {}, contextOf(parent))
      if (!span.isRecording()) return undefined
      return {
        context: traceparentOf(span),
        run: (work) => underWay.run(span, work),
        end: (status, code) => {
          span.setAttribute('http.response.status_code', status)
          if (code !== undefined) span.setAttribute('partner_commerce.problem', code)
          if (status >= 500) fail(span, code ?? String(status))
          span.end()
        },
      }
    },
    goOn: ({ kind, name, parent, others = [], attributes = {} }, work) => {
      const [first, ...rest] = [parent, ...others].filter((context) => context !== null)
      if (first === undefined) return underWay.exit(() => work(null))
      const links = rest.map((context) => ({ context: spanContextOf(context) }))
      const span = begin(name, kinds[kind], attributes, { links }, contextOf(first))
      if (!span.isRecording()) return underWay.exit(() => work(first))
      return within(span, () => work(traceparentOf(span)))
    },
    tool: (name, tool, methods) => {
      const traced = methods.map((method) => {
        const ask = (tool[method] as (...given: unknown[]) => Promise<unknown>).bind(tool)
        const told = `${name} ${String(method)}`
        return [
          method,
          (...given: unknown[]) =>
            part(
              'CLIENT',
              told,
              () => ({ 'peer.service': name }),
              () => ask(...given),
            ),
        ]
      })
      return { ...tool, ...Object.fromEntries(traced) }
    },
    part,
  }
}

function contextOf(parent: TraceContext | undefined): Context {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent))
}

function spanContextOf(context: TraceContext) {
  const { flags, ...ids } = partsOf(context)
  return { ...ids, traceFlags: flags, isRemote: true }
}

function traceparentOf(span: Span): TraceContext {
  const { traceFlags, ...ids } = span.spanContext()
  return writeTraceparent({ ...ids, flags: traceFlags })
}

/** Messages of errors may hold values, such as a name that is in the database already, so only their kind is told. */
function fail(span: Span, cause: string): void {
  span.setAttribute('error.type', cause)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function causeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : '_OTHER'
}
