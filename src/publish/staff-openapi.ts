import { problemRecord } from '../contract/problem-document.ts'
import { problemTitle } from '../contract/problems.ts'
import type { Parameter } from '../contract/parameters.ts'
import { methodOf, pathOf, type AnyOperation, type Chapter } from '../contract/operation.ts'
import { headerComponents, pathParameterObjects, publishedOperation, type Exchanged } from './operation-object.ts'
import { refusalComponents, type RefusalWords } from './refusals.ts'
import { createSchemaComponents, type JsonObject } from './schemas.ts'

/** The published part of the staff contract. It comes as a value, because this folder must not import `staff/`. */
export type StaffContract = {
  chapters: readonly Chapter<AnyOperation & { permission: string | null }>[]
  /** code → status and meaning */
  problems: Readonly<Record<string, readonly [number, string]>>
  /** the codes that an operation can answer, in the order in which they are checked */
  problemsOf: (id: string) => readonly string[]
  pathParameters: Readonly<Record<string, Parameter<unknown>>>
  /** what was sent and answered, by operation; without it an example is made from the schema */
  examples: Readonly<Record<string, Exchanged>>
}

const guide = `
What people who work here do, over HTTP: the staff console stands on it, and tools may use it.

Sign in with \`POST /staff/v1/session\`. Browsers get the session as a cookie, and send the \`csrfToken\` they were told as
\`X-CSRF-Token\` with every change. Tools ask for \`"transport": "bearer"\` and send the \`token\` they get as
\`Authorization: Bearer\`; they need no CSRF token.

\`{environment}\` is \`production\` or \`sandbox\`. Every change is recorded with who made it, in the database it changes.
Bodies are strict JSON; unknown keys and query parameters are refused. Lists are pages: send \`nextCursor\` back as
\`cursor\` until it is null. Every error is a problem document; branch on its \`code\`. Only a refused import answers with its report instead.
`.trim()

export function publishStaffOpenapi(contract: StaffContract, consoleUrl: string): JsonObject {
  const components = createSchemaComponents()
  components.published(problemRecord(Object.keys(contract.problems), 'any'))
  const refusals = refusalComponents(components, refusalWords(contract.problems))
  const paths: Record<string, JsonObject> = {}
  for (const { name, operations } of contract.chapters) {
    for (const entry of Object.values(operations)) {
      const method = methodOf(entry)
      const path = (paths[pathOf(entry)] ??= {})
      const permission = entry.permission === null ? {} : { agentNote: `Needs the permission \`${entry.permission}\`.` }
      const published = publishedOperation(
        { ...entry, ...permission },
        {
          tag: name,
          security: entry.open ? [] : method === 'GET' ? [{ bearer: [] }, { cookie: [] }] : changing,
          answerHeaders: ['Request-Id', 'Cache-Control'],
          refusals: refusals.of(contract.problemsOf(entry.id)),
          components,
          exchanged: contract.examples[entry.id],
        },
      )
      path[method.toLowerCase()] =
        entry.permission === null ? published : { ...published, 'x-permission': entry.permission }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Commerce staff API',
      version: '1.0.0',
      description: guide,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: consoleUrl }],
    tags: contract.chapters.map(({ name, says }) => ({ name, description: says })),
    paths,
    components: {
      securitySchemes,
      parameters: pathParameterObjects(contract.pathParameters, Object.keys(paths), components),
      headers: { 'Request-Id': requestId, 'Retry-After': retryAfter, ETag: etag, 'Cache-Control': cacheControl },
      responses: refusals.responses(),
      examples: refusals.examples(),
      schemas: components.all(),
    },
  }
}

const changing: JsonObject[] = [{ bearer: [] }, { cookie: [], csrfToken: [] }]

const securitySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session asked for with `bearer`.' },
  cookie: { type: 'apiKey', in: 'cookie', name: '__Host-staff-session', description: 'The session of a browser.' },
  csrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'The csrfToken of the session.' },
}

const {
  'Request-Id': requestId,
  'Retry-After': retryAfter,
  ETag: etag,
  'Cache-Control': cacheControl,
} = headerComponents

function refusalWords(problems: StaffContract['problems']): RefusalWords {
  return {
    status: (code) => problems[code]![0],
    title: problemTitle,
    meaning: (code) => problems[code]![1],
    headers: (status) => (status === 429 || status === 503 ? ['Request-Id', 'Retry-After'] : ['Request-Id']),
  }
}
