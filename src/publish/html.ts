import { markdownAsHtml, escaped } from './markdown.ts'
import type { Json, JsonObject } from './schemas.ts'

/** Renders an OpenAPI document of this service as one plain page without scripts. */
export function publishHtml(document: JsonObject, styleUrl: string): string {
  const { info, tags, paths, components } = document as {
    info: { title: string; description: string }
    tags: { name: string; description: string }[]
    paths: Record<string, Record<string, OperationObject>>
    components: Components
  }
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const chapters = tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(info.title)}</title>
<link rel="stylesheet" href="${escaped(styleUrl)}">
</head>
<body>
<h1>${escaped(info.title)}</h1>
${markdownAsHtml(info.description)}
<nav><h2>Contents</h2>
${chapters.map(contents).join('\n')}
</nav>
${chapters.map((chapter) => chapterSection(chapter, components)).join('\n')}
<section><h2>Schemas</h2>
${Object.entries(components.schemas).map(schemaSection).join('\n')}
</section>
</body>
</html>
`
}

type ParameterObject = { $ref?: string; name: string; in: string; description?: string; schema: JsonObject }
type Components = {
  parameters?: Record<string, ParameterObject>
  responses?: Record<string, ResponseObject>
  schemas: Record<string, JsonObject>
}
type ResponseObject = { $ref?: string; description?: string; content?: Content }
type Content = Record<string, { schema?: JsonObject; example?: Json }>
type OperationObject = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: ParameterObject[]
  requestBody?: { content: Content }
  responses: Record<string, ResponseObject>
}
type Entry = { path: string; method: string; operation: OperationObject }
type Chapter = { name: string; description: string; entries: Entry[] }

function contents({ name, entries }: Chapter): string {
  const items = entries.map(
    ({ method, path, operation }) =>
      `<li><a href="#${operation.operationId}"><code>${method} ${escaped(path)}</code></a> ${escaped(operation.summary)}</li>`,
  )
  return `<h3>${escaped(name)}</h3><ul>${items.join('')}</ul>`
}

function chapterSection({ name, description, entries }: Chapter, shared: Components): string {
  return `<section><h2>${escaped(name)}</h2>
${markdownAsHtml(description)}
${entries.map((entry) => operationSection(entry, shared)).join('\n')}
</section>`
}

function operationSection({ path, method, operation }: Entry, shared: Components): string {
  const parameters = (operation.parameters ?? []).map((each) =>
    each.$ref ? shared.parameters![lastName(each.$ref)]! : each,
  )
  return `<article id="${operation.operationId}">
<h3><code>${method} ${escaped(path)}</code></h3>
<p>${escaped(operation.summary)}.</p>
${operation.description ? markdownAsHtml(operation.description) : ''}
${parameters.length > 0 ? parameterTable(parameters) : ''}
${operation.requestBody ? `<h4>Body</h4>${contentOf(operation.requestBody.content)}` : ''}
<h4>Answers</h4>
<dl>${Object.entries(operation.responses)
    .map((item) => responseItem(item, shared))
    .join('')}</dl>
</article>`
}

function parameterTable(parameters: ParameterObject[]): string {
  const rows = parameters.map(
    (parameter) =>
      `<tr><td><code>${escaped(parameter.name)}</code></td><td>${parameter.in}</td><td>${escaped(parameter.description ?? '')}</td>` +
      `<td><code>${escaped(JSON.stringify(parameter.schema))}</code></td></tr>`,
  )
  return `<table><thead><tr><th>parameter</th><th>in</th><th></th><th>form</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function responseItem([status, response]: [string, ResponseObject], shared: Components): string {
  const { description } = response.$ref ? shared.responses![lastName(response.$ref)]! : response
  const said = markdownAsHtml(description ?? '')
  const isProblem = Number(status) >= 400
  return `<dt>${status}</dt><dd>${said}${isProblem ? '' : contentOf(response.content ?? {})}</dd>`
}

function contentOf(content: Content): string {
  return Object.entries(content)
    .map(([mediaType, { schema, example }]) => {
      const form = schema?.$ref ? schemaLink(String(schema.$ref)) : schema ? json(schema) : ''
      return `<p><code>${escaped(mediaType)}</code> ${form}</p>${example === undefined ? '' : json(example)}`
    })
    .join('')
}

function schemaSection([name, schema]: [string, JsonObject]): string {
  return `<article id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${json(schema)}</article>`
}

function schemaLink(reference: string): string {
  const name = lastName(reference)
  return `<a href="#schema-${escaped(name)}">${escaped(name)}</a>`
}

function lastName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Prints JSON with a link for every reference to a schema. */
function json(value: Json): string {
  const text = escaped(JSON.stringify(value, null, 2)).replaceAll(
    /&quot;#\/components\/schemas\/(\w+)&quot;/g,
    (_, name: string) => schemaLink(`/${name}`),
  )
  return `<pre>${text}</pre>`
}
