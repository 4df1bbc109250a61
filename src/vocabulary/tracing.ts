import type { TraceContext } from './trace-context.ts'

/**
 * How the parts of the service tell what they do, for traces. Without tracing a caller's own context is passed on as it
 * came. What is told is exported, so it holds no query, no body, and nothing of persons.
 */
export type Tracing = {
  /** begins the span of a request; undefined = there is none. @param route the template of the path, if it has one */
  serve: (
    method: string,
    route: string | undefined,
    operation: string,
    parent: TraceContext | undefined,
  ) => RequestSpan | undefined
  /**
   * does work in a span that goes on a trace; without one, or where it is not sampled, only the work
   * @param work gets what goes on from there
   */
  goOn: <Result>(begin: GoingOn, work: (context: TraceContext | null) => Promise<Result>) => Promise<Result>
  /** makes the tool trace its use by these methods, as parts of what is traced already */
  tool: <Tool extends object, Method extends keyof Tool>(name: string, tool: Tool, methods: readonly Method[]) => Tool
  /** does work in a span of its own if something is traced here; the attributes are worked out only then */
  part: <Result>(kind: SpanKind, name: string, told: () => Attributes, work: () => Promise<Result>) => Promise<Result>
}

export type RequestSpan = {
  /** what goes on from there */
  context: TraceContext
  /** does the request's work, whose parts are traced beneath */
  run: <Result>(work: () => Result) => Result
  end: (status: number, code: string | undefined) => void
}

export type SpanKind = 'CLIENT' | 'PRODUCER' | 'CONSUMER' | 'INTERNAL'
export type Attributes = Readonly<Record<string, string | number>>

export type GoingOn = {
  kind: SpanKind
  name: string
  parent: TraceContext | null
  /** of work that is done for several at once: the others */
  others?: readonly (TraceContext | null)[]
  attributes?: Attributes
}

export const noTracing: Tracing = {
  serve: () => undefined,
  goOn: ({ parent }, work) => work(parent),
  tool: (_name, tool) => tool,
  part: (_kind, _name, _told, work) => work(),
}

/** Where traces are sent, and which. */
export type TraceSettings = {
  /** the base URL of the collector, without `/v1/traces` */
  endpoint: string
  /** secret */
  headers: Readonly<Record<string, string>>
  serviceName: string
  sampler: SamplerName
  /** of the samplers by ratio: which part of the traces is kept */
  ratio: number
}

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplerNames)[number]
