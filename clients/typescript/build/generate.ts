import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

/**
 * Writes what the client is made from: the types of all records and inputs, a method with its docstring for each
 * operation, and the table by which the methods are sent. Nothing of it is in the repository.
 */

type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}
type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  description?: string
}
type Media = Record<string, { schema?: Schema }>
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Media }
  responses: Record<string, { $ref?: string; content?: Media }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: { summary?: string } }>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

/** How the client sends an operation, as the table in `operations.gen.ts` says it. */
type Row = { method: string; path: string; list?: string; form?: true; events?: true; open?: true }

/** An operation as a client has it: how it is sent, what it does, and its method in TypeScript. */
type Method = { row: Row; summary: string; text: string }

const generated = new URL('../src/generated/', import.meta.url)

/** The contracts of which the client is made. The service publishes them in `openapi/`. */
export const documents: readonly Document[] = ['partner-commerce', 'sandbox', 'developer']
  .map((name) => new URL(`../../../openapi/${name}.json`, import.meta.url))
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Document)

/** Not methods: `authorize` is a page for a browser, and `mcp` speaks a protocol that has clients of its own. */
export const notMethods: ReadonlySet<string> = new Set(['authorize', 'mcp'])

/** Header parameters that a method takes, under these names. */
const headerInputs: Readonly<Record<string, string>> = {
  'If-Match': 'ifMatch',
  'If-None-Match': 'ifNoneMatch',
  'Last-Event-ID': 'lastEventId',
}

/** The operations of all documents by their ids, but for those that are no methods. */
export function methodsOf(schemas = mergedSchemas()): Map<string, Method> {
  const methods = new Map<string, Method>()
  for (const document of documents)
    for (const [path, byMethod] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(byMethod)) {
        const id = operation.operationId
        if (id !== undefined && !notMethods.has(id))
          methods.set(id, asMethod(document, method.toUpperCase(), path, operation, schemas))
      }
  return methods
}

/** The files that the generator writes, by name, with their text. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const schemas = mergedSchemas()
  const methods = methodsOf(schemas)
  const codes = (schemas['Problem']!.properties!['code']!.enum as string[]).toSorted()
  const { Problem: _, ...records } = schemas
  return {
    'types.gen.ts': `${await typesOf(records)}
/** The codes of problems, all that the contract publishes. Branch on them. */
export type ProblemCode =
${codes.map((code) => `  | '${code}'`).join('\n')}

/** The types of webhook events. More may be added: tolerate those that you do not know. */
export type WebhookEventType = ${eventTypes()
      .map((type) => `'${type}'`)
      .join(' | ')}
`,
    'operations.gen.ts': `import type { CallOptions } from '../options.ts'
import type { ApiPromise, PagePromise } from '../promises.ts'
${[...methods.values()].some(({ row }) => row.events) ? "import type { ServerEvents } from '../server-events.ts'\n" : ''}import type * as api from './types.gen.ts'

/** A method for each operation of the API. Each takes one input: parameters by name, and \`body\`. */
export interface Operations {
${[...methods.values()].map(({ text }) => text).join('\n\n')}
}
`,
    'table.gen.ts': `import type { Sent } from '../sent.ts'
import type { Operations } from './operations.gen.ts'

/** How each operation is sent. */
export const table: Record<keyof Operations, Sent> = ${tableText(methods)}
`,
    'version.gen.ts': `/** The version of this package. */
export const version = '${packageVersion()}'
`,
  }
}

function packageVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** The schemas of all documents. Their problems differ in their codes only, of which the client knows all. */
function mergedSchemas(): Record<string, Schema> {
  const merged: Record<string, Schema> = {}
  for (const { components } of documents)
    for (const [name, schema] of Object.entries(components.schemas)) {
      const known = merged[name]
      if (name.endsWith('Problem') && name !== 'Problem') continue
      if (known === undefined) merged[name] = structuredClone(schema)
      else if (name === 'Problem') {
        const code = known.properties!['code']!
        code.enum = [...new Set([...code.enum!, ...schema.properties!['code']!.enum!])]
      } else if (JSON.stringify(known) !== JSON.stringify(schema))
        throw new Error(`Two documents mean different things by the schema ${name}.`)
    }
  return merged
}

function asMethod(
  document: Document,
  method: string,
  path: string,
  operation: Operation,
  schemas: Record<string, Schema>,
): Method {
  const id = operation.operationId!
  const typeName = id[0]!.toUpperCase() + id.slice(1)
  const row: Row = { method, path }

  const input: Schema = { type: 'object', properties: {}, required: [], additionalProperties: false }
  const add = (name: string, schema: Schema, isRequired: boolean): void => {
    input.properties![name] = schema
    if (isRequired) input.required!.push(name)
  }
  for (const each of operation.parameters ?? []) {
    const parameter = '$ref' in each ? document.components.parameters![each.$ref.split('/').at(-1)!]! : each
    const { name, description, required = false } = parameter
    const schema = { ...parameter.schema, ...(description && { description }) }
    if (parameter.in !== 'header') add(name, schema, required)
    else if (headerInputs[name] !== undefined) add(headerInputs[name], schema, required)
  }
  if (operation.requestBody) {
    const [[mediaType, media] = []] = Object.entries(operation.requestBody.content)
    if (mediaType === 'application/x-www-form-urlencoded') row.form = true
    add('body', media!.schema!, operation.requestBody.required ?? false)
  }
  schemas[`${typeName}Input`] = { ...input, description: `The input of \`${id}\`.` }
  if ((operation.security ?? []).some((way) => Object.keys(way).length === 0)) row.open = true

  const contents = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.entries(content ?? {}))
  const [[mediaType, media] = []] = contents
  const isText = mediaType === 'text/event-stream' && media?.schema?.type === 'string'
  const answer = isText ? undefined : nameOf(media?.schema, `${typeName}Answer`, schemas)
  if (mediaType === 'text/event-stream') row.events = true
  const page = answer === undefined ? undefined : schemas[answer]?.properties
  if (page?.['nextCursor']) row.list = Object.entries(page).find(([, { type }]) => type === 'array')![0]

  const returns = row.events
    ? `ServerEvents<${answer === undefined ? 'unknown' : `api.${answer}`}>`
    : answer === undefined
      ? 'ApiPromise<void>'
      : row.list === undefined
        ? `ApiPromise<api.${answer}>`
        : `PagePromise<api.${answer}, api.${answer}['${row.list}'][number]>`
  const optional = input.required!.length === 0 ? '?' : ''
  return {
    row,
    summary: operation.summary ?? '',
    text: `${docstring(method, path, operation)}\n  ${id}(input${optional}: api.${typeName}Input, options?: CallOptions): ${returns}`,
  }
}

function nameOf(schema: Schema | undefined, otherwise: string, schemas: Record<string, Schema>): string | undefined {
  if (schema === undefined) return undefined
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  schemas[otherwise] = schema
  return otherwise
}

function docstring(method: string, path: string, { summary, description, deprecated, security }: Operation): string {
  const scopes = (security ?? []).flatMap((way) => way['oauth2'] ?? [])
  const lines = [
    ...(summary === undefined ? [] : [`${summary.replace(/\.$/, '')}.`]),
    ...(description === undefined ? [] : ['', ...description.split('\n')]),
    '',
    `\`${method} ${path}\`${scopes.length > 0 ? `, scope \`${scopes.join(' ')}\`` : ''}`,
    ...(deprecated ? ['@deprecated'] : []),
  ]
  return ['  /**', ...lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()), '   */'].join('\n')
}

/** An enumeration that takes other strings too keeps its words for those who write code, and stays open. */
const anyOtherString = ts.factory.createIntersectionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeLiteralNode([]),
])

function markOpen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const choices = (value as { anyOf?: Schema[] }).anyOf
  if (choices?.some((choice) => choice.enum))
    for (const choice of choices) if (choice.type === 'string' && !choice.enum) choice.format = 'any other'
  for (const each of Object.values(value)) markOpen(each)
}

async function typesOf(schemas: Record<string, Schema>): Promise<string> {
  markOpen(schemas)
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
  const nodes = await openapiTS(JSON.stringify(document), {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transform: ({ format }) => (format === 'any other' ? anyOtherString : undefined),
  })
  // Of what the library writes, only the schemas and their names say anything here.
  const kept = nodes.filter(
    (node) => (ts.isInterfaceDeclaration(node) && node.name.text === 'components') || ts.isTypeAliasDeclaration(node),
  )
  const unused = new Set(['webhooks', '$defs', 'operations', 'paths'])
  return astToString(kept.filter((node) => !(ts.isTypeAliasDeclaration(node) && unused.has(node.name.text))))
}

function eventTypes(): string[] {
  return [...new Set(documents.flatMap(({ webhooks }) => Object.keys(webhooks ?? {})))]
}

function tableText(methods: ReadonlyMap<string, Method>): string {
  const lines = [...methods].map(([id, { row }]) => {
    const { method, path, ...rest } = row
    const more = Object.entries(rest).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    return `  ${id}: [${[JSON.stringify(method), JSON.stringify(path), ...(more.length > 0 ? [`{ ${more.join(', ')} }`] : [])].join(', ')}],`
  })
  return `{\n${lines.join('\n')}\n}`
}

/** Writes the files; one that stays as it is wakes no watcher. */
export async function generate(): Promise<void> {
  await mkdir(generated, { recursive: true })
  for (const [name, text] of Object.entries(await generatedFiles())) {
    const file = new URL(name, generated)
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await generate()
