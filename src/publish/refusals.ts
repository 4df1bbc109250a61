import { problemMeaning, problemStatus, problemTitle, type ProblemCode } from '../contract/problems.ts'
import type { JsonObject, SchemaComponents } from './schemas.ts'

/**
 * Refusals of a document: a named schema and a named response for each code, so that clients that are generated from it
 * have one type for each. An operation that can answer one of several codes with one status has their union.
 */
export type RefusalWords = {
  status: (code: string) => number
  title: (status: number) => string
  meaning: (code: string) => string
  /** names of the header components of an answer with this status */
  headers: (status: number) => readonly string[]
  /** said of every answer with this status, before the meanings */
  note?: (status: number) => string | undefined
}

/** What the hosts of the partner API and of the sandbox's control API say of the published codes. */
export const publishedWords = {
  status: (code) => problemStatus(code as ProblemCode),
  title: problemTitle,
  meaning: (code) => problemMeaning(code as ProblemCode),
} satisfies Partial<RefusalWords>

/** The answer of the firewall in front of these hosts. */
export const edgeRefusal: JsonObject = { description: 'The edge firewall refused the request; no body.' }

/** It is in front of every operation, whatever the operation refuses. */
export function withEdge(refused: JsonObject): JsonObject {
  return 403 in refused ? refused : { ...refused, 403: { $ref: '#/components/responses/EdgeRefusal' } }
}

/** Said of a status that the firewall answers too. */
export function edgeNote(status: number): string | undefined {
  return status === 403 ? 'A 403 without a body comes from the edge firewall.' : undefined
}

export type RefusalComponents = {
  /** the responses of an operation that answers these codes, by status */
  of: (codes: readonly string[]) => JsonObject
  /** every response and example that was referred to, by name, in alphabetical order */
  responses: () => JsonObject
  examples: () => JsonObject
}

export function refusalComponents(components: SchemaComponents, words: RefusalWords): RefusalComponents {
  const responses = new Map<string, JsonObject>()
  const examples = new Map<string, JsonObject>()

  function schemaOf(code: string): JsonObject {
    return components.put(`${pascal(code)}Problem`, {
      description: words.meaning(code),
      allOf: [
        { $ref: '#/components/schemas/Problem' },
        {
          type: 'object',
          required: ['status', 'code'],
          properties: {
            status: { type: 'integer', const: words.status(code), description: 'the HTTP status' },
            code: { type: 'string', const: code, description: 'branch on this' },
          },
        },
      ],
    })
  }

  function exampleOf(code: string): JsonObject {
    const problem = {
      type: 'about:blank',
      title: words.title(words.status(code)),
      status: words.status(code),
      code,
      detail: words.meaning(code),
      requestId: '7f1a6c1e-2b70-4c0c-9a51-3f2d8e5b9c44',
    }
    examples.set(pascal(code), { summary: problem.title, value: problem })
    return { $ref: `#/components/examples/${pascal(code)}` }
  }

  function response(status: number, description: string, content: JsonObject): JsonObject {
    const note = words.note?.(status)
    return {
      description: note === undefined ? description : `${note}\n\n${description}`,
      headers: headersOf(words.headers(status)),
      content: { 'application/problem+json': content },
    }
  }

  function one(code: string): JsonObject {
    const name = pascal(code)
    responses.set(
      name,
      response(words.status(code), words.meaning(code), {
        schema: schemaOf(code),
        examples: { [code]: exampleOf(code) },
      }),
    )
    return { $ref: `#/components/responses/${name}` }
  }

  function several(status: number, codes: readonly string[]): JsonObject {
    const schemas = codes.map((code) => [code, schemaOf(code)] as const)
    return response(status, codes.map((code) => `- \`${code}\`: ${words.meaning(code)}`).join('\n'), {
      schema: {
        oneOf: schemas.map(([, schema]) => schema),
        discriminator: {
          propertyName: 'code',
          mapping: Object.fromEntries(schemas.map(([code, { $ref }]) => [code, $ref!])),
        },
      },
      examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
    })
  }

  return {
    of: (codes) =>
      Object.fromEntries(
        [...Map.groupBy(codes, words.status)].map(([status, some]) => [
          status,
          some.length === 1 ? one(some[0]!) : several(status, some),
        ]),
      ),
    responses: () => sorted(responses),
    examples: () => sorted(examples),
  }
}

function sorted(byName: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries([...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export function headersOf(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** `order_not_found` → `OrderNotFound` */
function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
