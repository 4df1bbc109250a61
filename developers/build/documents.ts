import { existsSync, readFileSync } from 'node:fs'
import { demoId } from './demo-ids.ts'

/** The documents of the contract that partners use, with the hosts named as the site names them. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type ParameterObject = {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  explode?: boolean
  schema: JsonObject
  example?: Json
}
export type ResponseObject = {
  $ref?: string
  description?: string
  headers?: JsonObject
  content?: Record<string, { schema?: JsonObject; example?: Json; examples?: Record<string, JsonObject> }>
}
export type OperationObject = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: JsonObject[]
  parameters?: ParameterObject[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonObject; example?: Json }> }
  responses: Record<string, ResponseObject>
}
export type OpenapiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string; description?: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks?: Record<string, Record<string, OperationObject>>
  components: {
    parameters?: Record<string, ParameterObject>
    responses?: Record<string, ResponseObject>
    examples?: Record<string, JsonObject>
    schemas: Record<string, JsonObject>
    headers?: JsonObject
    securitySchemes?: JsonObject
  }
}

/** One of the documents, the path at which the site serves it, and the documents's text. */
export type Published = { name: string; path: string; text: string; document: OpenapiDocument }

/** One operation, with what it refers to put in its place. */
export type Operation = {
  id: string
  /** in the addresses of the site: `get-order` */
  slug: string
  method: string
  path: string
  /** the document it stands in */
  document: OpenapiDocument
  parameters: readonly ParameterObject[]
  /** the codes that it refuses with, by status */
  codes: readonly string[]
  object: OperationObject
}

const paths = {
  'partner-commerce': 'openapi.json',
  developer: 'developer/openapi.json',
  sandbox: 'sandbox/openapi.json',
}

/** Those of them that exist. */
export function readDocuments(): Published[] {
  return Object.entries(paths).flatMap(([name, path]) => {
    const file = new URL(`../../openapi/${name}.json`, import.meta.url)
    if (!existsSync(file)) return []
    const text = readFileSync(file, 'utf8').replaceAll('.partner-commerce.test', '.partner-commerce.example')
    return [{ name, path, text, document: withDemoIds(JSON.parse(text) as OpenapiDocument) }]
  })
}

/** The contract names made-up records; a page names those that the sandbox has. */
function withDemoIds(document: OpenapiDocument): OpenapiDocument {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    operation.parameters = operation.parameters?.map((given) => {
      const parameter = given.$ref ? document.components.parameters![nameOf(given.$ref)]! : given
      const example = parameter.in === 'path' ? demoId(operation.operationId, parameter.name) : undefined
      return example === undefined ? given : { ...parameter, example }
    })
  }
  return document
}

export function operationsOf(documents: readonly Published[]): Operation[] {
  return documents.flatMap(({ document }) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, object]) => ({
        id: object.operationId,
        slug: kebab(object.operationId),
        method: method.toUpperCase(),
        path,
        document,
        parameters: (object.parameters ?? []).map((parameter) =>
          parameter.$ref ? document.components.parameters![nameOf(parameter.$ref)]! : parameter,
        ),
        codes: Object.values(object.responses).flatMap((response) => codesOf(response, document)),
        object,
      })),
    ),
  )
}

/** Every refusal says its codes by its examples. */
export function codesOf(given: ResponseObject, { components }: OpenapiDocument): string[] {
  const response = given.$ref ? components.responses![nameOf(given.$ref)]! : given
  const content = response.content?.['application/problem+json']
  return Object.keys(content?.examples ?? {})
}

export function responseOf(given: ResponseObject, { components }: OpenapiDocument): ResponseObject {
  return given.$ref ? components.responses![nameOf(given.$ref)]! : given
}

/** `getOrder` → `get-order` */
export function kebab(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(/[_.]/g, '-')
}

/** `getOrder` → `Get order` */
export function titleOf(id: string): string {
  const words = kebab(id).replaceAll('-', ' ')
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\bMcp\b/, 'MCP').replace(/\bmcp\b/, 'MCP')
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
