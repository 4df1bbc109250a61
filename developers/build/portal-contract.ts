import { readFile, writeFile } from 'node:fs/promises'

/**
 * Writes what the portal is made from: a table of the operations of the three documents, and lists that they publish.
 * `--types` also writes the types of the documents, which only the check of types reads. Nothing of it is in the repository.
 */
const documents = { partner: 'partner-commerce', developer: 'developer', sandbox: 'sandbox' }
const api = (name: string) => new URL(`../src/portal/api/${name}`, import.meta.url)

type Schema = {
  $ref?: string
  required?: string[]
  properties?: Record<string, { type?: unknown; items?: { enum?: string[] } }>
}
type Operation = {
  operationId?: string
  requestBody?: object
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}
type Contract = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: { oauth2: { flows: { clientCredentials: { scopes: Record<string, string> } } } }
  }
}

const contracts = Object.fromEntries(
  await Promise.all(
    Object.entries(documents).map(async ([name, file]) => [name, JSON.parse(await readFile(documentOf(file), 'utf8'))]),
  ),
) as Record<keyof typeof documents, Contract>

const rows = Object.values(contracts).flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [[operationId, [method.toUpperCase(), path]] as const],
    ),
  ),
)
const fields = Object.values(contracts).flatMap(({ paths, components }) =>
  Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, responses = {} }) =>
      operationId === undefined ? [] : [[operationId, fieldsOf(responses, components.schemas)] as const],
    ),
  ),
)
const scopes = Object.keys(contracts.partner.components.securitySchemes.oauth2.flows.clientCredentials.scopes)

await writeIfNew(
  api('contract.gen.ts'),
  [
    '/** Method and path of each operation. */',
    `export const operationTable = ${JSON.stringify(Object.fromEntries(rows))} as const`,
    '/** What each answer has at its outside; a list ends in []. */',
    `export const answerFields: Readonly<Record<keyof typeof operationTable, readonly string[]>> = ${JSON.stringify(Object.fromEntries(fields))}`,
    '/** All that a credential can have. */',
    `export const scopes = ${JSON.stringify(scopes)} as const`,
    '/** What receivers can be told of. */',
    `export const eventTypes = ${JSON.stringify(eventTypesOf(contracts.sandbox))} as const`,
    '',
  ].join('\n'),
)

if (process.argv.includes('--types')) {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  for (const [name, file] of Object.entries(documents)) {
    const types = astToString(await openapiTS(documentOf(file), { defaultNonNullable: false }))
    await writeIfNew(api(`${name}.gen.d.ts`), types)
  }
}

function documentOf(file: string): URL {
  return new URL(`../../openapi/${file}.json`, import.meta.url)
}

/** The fields that are never missing from the answer of a success. */
function fieldsOf(
  responses: NonNullable<Operation['responses']>,
  schemas: Contract['components']['schemas'],
): string[] {
  const success = responses['200'] ?? responses['201']
  const name = success?.content?.['application/json']?.schema?.$ref?.split('/').at(-1)
  const { required = [], properties = {} } = (name && schemas[name]) || {}
  return required.map((field) => (properties[field]?.type === 'array' ? `${field}[]` : field))
}

/** The types that `registerReceiver` takes. */
function eventTypesOf({ components }: Contract): readonly string[] {
  const types = components.schemas.RegisterReceiverBody?.properties?.types?.items?.enum
  if (!types) throw new Error('the document of the sandbox does not say which events receivers are told of')
  return types
}

/** A file that stays as it is wakes no watcher. */
async function writeIfNew(file: URL, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text)
}
