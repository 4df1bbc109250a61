import { globSync, readFileSync } from 'node:fs'
import { oauthErrors } from '../../src/contract/oauth-errors.ts'
import {
  problemCodes,
  problemMeaning,
  problemStatus,
  problemTitle,
  sandboxProblemCodes,
  type ProblemCode,
} from '../../src/contract/problems.ts'
import { guideChapters, webhookGuide } from '../../src/publish/guide.ts'
import { goLiveItems } from '../../src/sandbox/go-live/items.ts'
import { adviceOn } from './advice.ts'
import { changelogPage, readEntries } from './changelog.ts'
import {
  kebab,
  nameOf,
  operationsOf,
  titleOf,
  type Json,
  type JsonObject,
  type Operation,
  type Published,
} from './documents.ts'

/**
 * The pages beside the reference, by their place below `src/content/docs/`: the guides with what they include, and a page for
 * each problem code.
 */
export function guidePages(documents: readonly Published[]): Map<string, string> {
  const operations = operationsOf(documents)
  const folder = new URL('../guides/', import.meta.url)
  const pages = new Map<string, string>()
  for (const name of globSync('*.{md,mdx}', { cwd: folder })) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    pages.set(/^(?:index|404)\./.test(name) ? name : `guides/${name}`, withIncluded(text, documents, operations))
  }
  const codes = [
    ...new Set([...problemCodes, ...sandboxProblemCodes, ...operations.flatMap(({ codes: all }) => all)]),
  ] as ProblemCode[]
  pages.set('guides/errors/index.md', errorsPage(codes))
  for (const code of codes) pages.set(`guides/errors/${code}.md`, errorPage(code, operations, documents))
  return pages
}

/** `<!-- include: kind name -->`, in MDX in a comment of its own kind. */
const include = /^(?:<!--|\{\/\*) include: (.+?) (?:-->|\*\/\})$/gm

function withIncluded(text: string, documents: readonly Published[], operations: readonly Operation[]): string {
  return text.replaceAll(include, (_, asked: string) => {
    const [kind, name, language] = asked.split(' ') as [string, string, string | undefined]
    switch (kind) {
      case 'guide':
        return name === 'webhooks' ? webhookGuide : guideChapters[name as keyof typeof guideChapters].text
      case 'document':
        return documentText(name)
      case 'code':
        return `\`\`\`${language}\n${readFileSync(new URL(`../${name}`, import.meta.url), 'utf8').trim()}\n\`\`\``
      case 'chapter':
        return documents.flatMap(({ document }) => document.tags).find((tag) => tag.name === name)!.description
      case 'operation':
        return operations.find(({ id }) => id === name)!.object.description!
      case 'events':
        return eventTable(documents)
      case 'scopes':
        return scopeTable(documents)
      case 'oauth-errors':
        return oauthErrorTable()
      case 'go-live':
        return goLiveItems.map(({ title, toDo, guide }) => `- **[${title}](${guide}).** ${withCode(toDo)}`).join('\n')
      case 'changelog':
        return changelogPage(readEntries())
      default:
        throw new Error(`There is nothing to include by the name ${asked}.`)
    }
  })
}

/** Commands, names of fields and of files, values and headers are code. */
function withCode(text: string): string {
  return text.replaceAll(
    /partner-commerce [a-z]+(?: --[a-z-]+(?: URL)?)+|\bstatus-\w+\.pdf|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|\bRetry-After\b|\b900\d{3}\b/g,
    '`$&`',
  )
}

/** A text of `docs/`, whose heading is the title of its page, and whose links lead to pages of this site. */
function documentText(name: string): string {
  const text = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  return text
    .replace(/^# .*\n+/, '')
    .replaceAll(/\]\((?:\.\.\/openapi\/)sandbox\.json\)/g, '](/sandbox/openapi.json)')
    .replaceAll(/\]\((\w+)\.md(#[\w-]+)?\)/g, (_, page: string, anchor = '') => `](/guides/${page}/${anchor})`)
}

function eventTable([partners]: readonly Published[]): string {
  const rows = Object.entries(partners!.document.webhooks ?? {}).map(([type, methods]) => {
    const { summary, description = '' } = methods.post!
    return `| [\`${type}\`](/reference/webhooks/${kebab(type)}/) | ${summary} | ${description.replace(/^Read again: (.*)\.$/, '$1')} |`
  })
  return ['| `type` | says | read again |', '|---|---|---|', ...rows].join('\n')
}

function scopeTable([partners]: readonly Published[]): string {
  const { oauth2 } = partners!.document.components.securitySchemes as {
    oauth2: { flows: { clientCredentials: { scopes: Record<string, string> } } }
  }
  const rows = Object.entries(oauth2.flows.clientCredentials.scopes).map(
    ([scope, says]) => `| \`${scope}\` | ${says} |`,
  )
  return ['| scope | lets you |', '|---|---|', ...rows].join('\n')
}

function oauthErrorTable(): string {
  const rows = Object.entries(oauthErrors).map(([error, meaning]) => `| \`${error}\` | ${meaning} |`)
  return ['| `error` | meaning |', '|---|---|', ...rows].join('\n')
}

function errorsPage(codes: readonly ProblemCode[]): string {
  const byStatus = Map.groupBy(
    codes.toSorted((one, other) => problemStatus(one) - problemStatus(other)),
    problemStatus,
  )
  const chapters = [...byStatus].map(([status, all]) => {
    const rows = all.map((code) => `| [\`${code}\`](/guides/errors/${code}/) | ${problemMeaning(code)} |`)
    return `## ${status} ${problemTitle(status)}\n\n| code | meaning |\n|---|---|\n${rows.join('\n')}`
  })
  return `---
title: Errors
description: Every problem code, by status, each with a page of its own.
---

${guideChapters.errors.text}

A problem document has \`type\`, \`title\`, \`status\`, \`code\`, \`detail\` and \`requestId\`, and \`errors\` where a body has several
faults. \`detail\` is for people and may be reworded; never parse it. \`type\` is always \`about:blank\`: the page of the code is in
the header \`Link: <…>; rel="help"\`.

${chapters.join('\n\n')}

## What is no problem document

- **A rejected order.** A submission that ends as \`failed\` is answered with 200 or 201, and lists in \`errors\` every problem of the
  order. Their \`code\` is \`order_rejected\`; \`field\`, \`partnerLineId\` and \`detail\` say what is wrong and where. Mend the order, and send it with a new
  \`partnerOrderId\`: the key of a rejected order stays with it.
- **A refused token.** The token endpoint answers in the form of OAuth: see [sign-in](/guides/sign-in/#when-a-token-is-refused).
`
}

function errorPage(code: ProblemCode, operations: readonly Operation[], documents: readonly Published[]): string {
  const answering = operations.filter(({ codes }) => codes.includes(code))
  const links = answering.map(
    ({ id, slug, method, path }) => `- [${titleOf(id)}](/reference/${slug}/): \`${method} ${path}\``,
  )
  const answered =
    links.length === 0
      ? 'No operation answers it.'
      : links.length === operations.length
        ? 'Every operation can answer it.'
        : links.join('\n')
  return `---
title: ${code}
description: ${JSON.stringify(problemMeaning(code))}
tableOfContents: false
---

**${problemStatus(code)} ${problemTitle(problemStatus(code))}.** ${problemMeaning(code)}

## What to do

${adviceOn(code)}

## How it looks

\`\`\`json
${JSON.stringify(exampleOf(code, documents) ?? plainExample(code), null, 2)}
\`\`\`

## Which operations answer it

${answered}
`
}

/** The example of the documents. */
function exampleOf(code: string, documents: readonly Published[]): Json | undefined {
  for (const { document } of documents) {
    const responses = [
      ...Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).flatMap((each) => Object.values(each.responses)),
      ),
      ...Object.values(document.components.responses ?? {}),
    ]
    for (const { content } of responses) {
      const example = content?.['application/problem+json']?.examples?.[code] as JsonObject | undefined
      if (example?.$ref) return document.components.examples![nameOf(example.$ref as string)]!.value
      if (example) return example.value
    }
  }
  return undefined
}

function plainExample(code: ProblemCode): JsonObject {
  const status = problemStatus(code)
  return {
    type: 'about:blank',
    title: problemTitle(status),
    status,
    code,
    detail: problemMeaning(code),
    requestId: '0c4f2d1e-6a3b-4f7d-9e25-1b8c7a60d3f4',
  }
}
