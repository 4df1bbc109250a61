import { kebab, type Json, type JsonObject, type Operation } from './documents.ts'

/**
 * Samples of an operation, made from the examples of the contract. They run as they stand, once the addresses are those of
 * a service and the variables that they name are set.
 */
export type Sample = { language: 'curl' | 'TypeScript' | 'Python'; highlight: 'sh' | 'ts' | 'python'; source: string }

/** Values of parameters and of fields of the body by name, in place of their examples. */
export type Values = Readonly<Record<string, Json>>

const sandbox = 'https://sandbox.partner-commerce.example'

/** What the clients do by themselves or not at all: tokens are their own business, and agents speak MCP. */
const withoutClient = new Set(['requestToken', 'revokeToken', 'mcp'])

export function samplesOf(operation: Operation, values: Values = {}): Sample[] {
  // A browser is led to the sign-in.
  if (operation.id === 'authorize') return []
  const input = inputOf(operation, values)
  const curl: Sample = { language: 'curl', highlight: 'sh', source: curlSample(operation, input) }
  const [inTypescript, inPython] = withoutClient.has(operation.id)
    ? [plainTypescriptSample, plainPythonSample]
    : [typescriptSample, pythonSample]
  return [
    curl,
    { language: 'TypeScript', highlight: 'ts', source: inTypescript(operation, input) },
    { language: 'Python', highlight: 'python', source: inPython(operation, input) },
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
    lines.push(
      ...formFields(input).map(
        ([name, value]) => `-d ${name}=${value === ownToken ? '"$TOKEN"' : encodeURIComponent(plain(value))}`,
      ),
    )
  } else if (input.body !== undefined) {
    if (method !== 'POST') lines[0] = lines[0]!.replace('curl ', `curl -X ${method} `)
    lines.push(`-H 'Content-Type: ${mediaType}'`, `-d ${quoted(JSON.stringify(input.body, null, 2), true)}`)
  }
  return lines.join(' \\\n  ')
}

/** Stands for the token that the reader has. */
const ownToken = Symbol('token')

/** The application proves itself by its header. */
function formFields({ body }: Input): [name: string, value: Json | typeof ownToken][] {
  return Object.entries((body ?? {}) as JsonObject)
    .filter(([name]) => !name.startsWith('client_'))
    .map(([name, value]) => [name, name === 'token' ? ownToken : value])
}

function plainTypescriptSample({ id, path }: Operation, input: Input): string {
  const request =
    id === 'mcp'
      ? `  headers: {
    authorization: \`Bearer \${process.env.TOKEN}\`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  },
  body: JSON.stringify(${typescript(input.body!).replaceAll('\n', '\n  ')}),`
      : `  headers: { authorization: \`Basic \${btoa(\`\${process.env.CLIENT_ID}:\${process.env.CLIENT_SECRET}\`)}\` },
  body: new URLSearchParams(${objectOf(
    formFields(input).map(
      ([name, value]) => `${name}: ${value === ownToken ? 'process.env.TOKEN!' : typescript(value)}`,
    ),
    '{ ',
    ' }',
    '  ',
  )}),`
  return `const answer = await fetch('${sandbox}${path}', {
  method: 'POST',
${request}
})
if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`)
console.log(await answer.text())`
}

function plainPythonSample({ id, path }: Operation, input: Input): string {
  const [modules, data, headers] =
    id === 'mcp'
      ? [
          ['json', 'os', 'urllib.request'],
          `json.dumps(${python(input.body!).replaceAll('\n', '\n    ')}).encode()`,
          `{
        "Authorization": f"Bearer {os.environ['TOKEN']}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }`,
        ]
      : [
          ['base64', 'os', 'urllib.parse', 'urllib.request'],
          `urllib.parse.urlencode(${objectOf(
            formFields(input).map(
              ([name, value]) => `"${name}": ${value === ownToken ? 'os.environ["TOKEN"]' : python(value)}`,
            ),
            '{',
            '}',
            '    ',
          )}).encode()`,
          '{"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}',
        ]
  const pair = id === 'mcp' ? '' : `pair = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"\n`
  return `${modules.map((name) => `import ${name}`).join('\n')}

${pair}request = urllib.request.Request(
    "${sandbox}${path}",
    data=${data},
    headers=${headers},
)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())`
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
