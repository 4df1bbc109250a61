import { kebab, type Json, type JsonObject, type Operation } from './documents.ts'

/**
 * Samples of an operation, made from the examples of the contract. They run as they stand, once the addresses are those of
 * a service and the variables that they name are set.
 */
export type Sample = { language: 'curl' | 'TypeScript' | 'Python'; highlight: 'sh' | 'ts' | 'python'; source: string }

/** Values of parameters and of fields of the body by name, in place of their examples. */
export type Values = Readonly<Record<string, Json>>

const sandbox = 'https://sandbox.partner-commerce.example'

/** The operations that the clients do not have: tokens are their own business, and agents speak MCP. */
const withoutClient = new Set(['requestToken', 'revokeToken', 'mcp'])

export function samplesOf(operation: Operation, values: Values = {}): Sample[] {
  // A browser is led to the sign-in.
  if (operation.id === 'authorize') return []
  const input = inputOf(operation, values)
  const curl: Sample = { language: 'curl', highlight: 'sh', source: curlSample(operation, input) }
  if (withoutClient.has(operation.id)) return [curl]
  return [
    curl,
    { language: 'TypeScript', highlight: 'ts', source: typescriptSample(operation, input) },
    { language: 'Python', highlight: 'python', source: pythonSample(operation, input) },
  ]
}

type Input = { path: [name: string, value: Json][]; query: [name: string, value: Json][]; body: Json | undefined }

/** What is needed, and of lists also their size. */
function inputOf({ id, parameters, object }: Operation, values: Values): Input {
  const of = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .filter(({ name, required }) => place === 'path' || required || isShown(id, name))
      .map(({ name, example }): [string, Json] => [name, values[name] ?? example ?? null])
  const example = Object.values(object.requestBody?.content ?? {})[0]?.example
  return { path: of('path'), query: of('query'), body: example === undefined ? undefined : withValues(example, values) }
}

function withValues(body: Json, values: Values): Json {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, values[name] ?? value]))
}

/** Of a stream, also when it ends. */
function isShown(id: string, name: string): boolean {
  return name === 'limit' || (id === 'streamEvents' && name === 'seconds')
}

function curlSample({ id, method, path, object }: Operation, input: Input): string {
  const filled = input.path.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(plain(value))),
    path,
  )
  const query = input.query.map(([name, value]) => `${name}=${encodeURIComponent(plain(value))}`).join('&')
  const url = `${sandbox}${filled}${query && `?${query}`}`
  const mediaType = Object.keys(object.requestBody?.content ?? {})[0]
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  const isOpen = object.security?.some((each) => Object.keys(each).length === 0) || object.security?.length === 0
  const lines = [
    `curl ${id === 'streamEvents' ? '--no-buffer ' : ''}${method === 'GET' || input.body !== undefined ? '' : `-X ${method} `}${quoted(url)}`,
    ...(isForm && id !== 'authorize' ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(isOpen || isForm ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(id === 'mcp' ? ["-H 'Accept: application/json, text/event-stream'"] : []),
  ]
  if (isForm) {
    const fields = Object.entries((input.body ?? {}) as JsonObject).filter(([name]) => !name.startsWith('client_'))
    lines.push(
      ...fields.map(
        ([name, value]) =>
          `-d ${name}=${id === 'revokeToken' && name === 'token' ? '"$TOKEN"' : encodeURIComponent(plain(value))}`,
      ),
    )
  } else if (input.body !== undefined) {
    if (method !== 'POST') lines[0] = lines[0]!.replace('curl ', `curl -X ${method} `)
    lines.push(`-H 'Content-Type: ${mediaType}'`, `-d ${quoted(JSON.stringify(input.body, null, 2), true)}`)
  }
  return lines.join(' \\\n  ')
}

/** In single quotes where the shell would read something into it. */
function quoted(text: string, always = false): string {
  return always || /[^\w./:=%~-]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text
}

function plain(value: Json): string {
  return Array.isArray(value) ? value.map(plain).join(',') : String(value)
}

function typescriptSample(operation: Operation, input: Input): string {
  const fields = [...input.path, ...input.query].map(([name, value]) => `${name}: ${typescript(value)}`)
  if (input.body !== undefined) fields.push(`body: ${typescript(input.body)}`)
  const given = fields.length === 0 ? '' : objectOf(fields, '{ ', ' }', '  ')
  const called = `client.${operation.id}(${given})`
  const call =
    operation.id === 'streamEvents'
      ? `for await (const event of ${called}) console.log(event)`
      : `const answer = await ${called}\nconsole.log(answer)`
  return `import { PartnerCommerce } from '@partner-commerce/client'

const client = new PartnerCommerce({
  baseUrl: '${sandbox}',
  clientId: process.env.CLIENT_ID!,
  clientSecret: process.env.CLIENT_SECRET!,
})

${call}`
}

function pythonSample(operation: Operation, input: Input): string {
  const fields = [...input.path, ...input.query].map(([name, value]) => `${snake(name)}=${python(value)}`)
  if (input.body !== undefined) fields.push(`body=${python(input.body)}`)
  const given = fields.length === 0 ? '' : fields.join(', ')
  const called = `client.${snake(operation.id)}(${given})`
  const call =
    operation.id === 'streamEvents'
      ? `for event in ${called}:\n    print(event)`
      : `answer = ${called}\nprint(${isPaged(operation) ? 'answer.data' : 'answer'})`
  return `import os
from partner_commerce import PartnerCommerce

client = PartnerCommerce(
    base_url="${sandbox}",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
)

${call}`
}

/** A page of a list is an object in Python, with the record that was answered in it. */
function isPaged({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'cursor')
}

/** On one line if it is short. */
function objectOf(fields: readonly string[], open: string, close: string, indent: string): string {
  const line = open + fields.join(', ') + close
  if (line.length <= 72 && !line.includes('\n')) return line
  const lines = fields.map((field) => `${indent}${field.replaceAll('\n', `\n${indent}`)},\n`)
  return `${open.trim()}\n${lines.join('')}${close.trim()}`
}

function typescript(value: Json): string {
  if (Array.isArray(value)) return objectOf(value.map(typescript), '[', ']', '  ')
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (value === null || typeof value !== 'object') return String(value)
  const fields = Object.entries(value).map(
    ([name, each]) => `${/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`}: ${typescript(each)}`,
  )
  return fields.length === 0 ? '{}' : objectOf(fields, '{ ', ' }', '  ')
}

const pythonWords = new Map<Json, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
])

function python(value: Json): string {
  if (Array.isArray(value)) return objectOf(value.map(python), '[', ']', '    ')
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === null || typeof value !== 'object') return pythonWords.get(value) ?? String(value)
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`)
  return fields.length === 0 ? '{}' : objectOf(fields, '{', '}', '    ')
}

/** `getOrder` → `get_order` */
export function snake(name: string): string {
  return kebab(name).replaceAll('-', '_')
}
