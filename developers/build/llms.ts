import type { Text } from './markdown.ts'

/** The list of pages for programs that read (llmstxt.org), and the whole text of them. */

const site = 'https://developers.partner-commerce.example'

const chapters: readonly (readonly [heading: string, holds: (path: string) => boolean])[] = [
  ['Guides', (path) => path === '/index.md' || path === '/portal.md' || /^\/guides\/[\w-]+\.md$/.test(path)],
  ['Reference', (path) => path.startsWith('/reference')],
  ['Problem codes', (path) => path.startsWith('/guides/errors/')],
]

export function llmsText(texts: readonly Text[], documents: readonly { path: string; title: string }[]): string {
  const lists = chapters.map(([heading, holds]) => {
    const links = texts
      .filter(({ path }) => holds(path))
      .map(({ path, title, description }) => `- [${title}](${site}${path})${description && `: ${description}`}`)
    return `## ${heading}\n\n${links.join('\n')}`
  })
  const links = documents.map(({ path, title }) => `- [${title}](${site}/${path}): OpenAPI 3.1`)
  return `# Partner Commerce

> The API by which partners place orders for print, decide proofs, read the catalog and hear of changes; with a sandbox. Every
> page of this site is also there as Markdown: \`.md\` in place of the last slash.

${lists.join('\n\n')}

## Documents

${links.join('\n')}
`
}

export function wholeText(texts: readonly Text[]): string {
  const inOrder = chapters.flatMap(([, holds]) => texts.filter(({ path }) => holds(path)))
  return inOrder.map(({ path, markdown }) => `<!-- ${site}${path} -->\n\n${markdown.trim()}\n`).join('\n')
}
