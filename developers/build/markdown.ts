import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { Element, ElementContent, Root } from 'hast'
import { select, selectAll } from 'hast-util-select'
import { toString } from 'hast-util-to-string'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'

/** Every page once more as Markdown, for programs that read: made from the page itself, so that both say the same. */

/** A page: the path of its Markdown, its title and description, and its text. */
export type Text = { path: string; title: string; description: string; markdown: string }

/** What is no page to read. */
const apart = new Set(['404.html'])

/** @param dist the folder with the built pages; each gets its Markdown beside it. @returns them in the order of their paths */
export async function writeMarkdown(dist: string): Promise<Text[]> {
  const pages = globSync('**/*.html', { cwd: dist }).filter((page) => !apart.has(page))
  return Promise.all(
    pages.toSorted().map(async (page) => {
      const path = page === 'index.html' ? 'index.md' : page.replace(/\/index\.html$/, '.md')
      const text = textOf(await readFile(`${dist}/${page}`, 'utf8'))
      await writeFile(`${dist}/${path}`, text.markdown)
      return { path: `/${path}`, ...text }
    }),
  )
}

const parser = unified().use(rehypeParse)
const writer = unified()
  .use(rehypeRemark, {
    handlers: {
      pre: (_state, node: Element) => ({ type: 'code', lang: language(node), value: codeOf(node) }),
    },
  })
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', rule: '-' })

function textOf(html: string): Omit<Text, 'path'> {
  // Most of a page is the way to other pages.
  const main = parser.parse(html.slice(html.indexOf('<main'), html.indexOf('</main>')))
  const head = parser.parse(html.slice(0, html.indexOf('</head>')))
  const title = toString(select('h1', main)!).trim()
  const description = String(select('meta[name="description"]', head)?.properties.content ?? '')
  const content = select('.sl-markdown-content', main)!
  const body = { type: 'root', children: cleaned(content.children) } satisfies Root
  const markdown = writer.stringify(writer.runSync(body) as Parameters<typeof writer.stringify>[0])
  return { title, description, markdown: `# ${title}\n\n${markdown}` }
}

/** What only a browser shows, or what the text has in another form. */
const leftTags = new Set(['script', 'style', 'svg', 'dialog', 'button', 'select', 'label', 'link'])
const leftClasses = new Set(['sl-anchor-link', 'copy', 'sr-only'])

function cleaned(children: readonly ElementContent[]): ElementContent[] {
  const kept = children.flatMap((node): ElementContent[] => {
    if (node.type !== 'element') return node.type === 'text' ? [node] : []
    const classes = (node.properties.className ?? []) as string[]
    const isLeft = leftTags.has(node.tagName) || 'popover' in node.properties
    if (isLeft || classes.some((name) => leftClasses.has(name))) return []
    if (node.tagName === 'pre') return [node]
    if (node.tagName === 'starlight-tabs') return tabs(node)
    if (node.properties.role === 'tabpanel') return cleaned(node.children)
    if (classes.includes('sl-openapi-operation-description')) return operation(node)
    if (classes.includes('sl-openapi-key')) return [item(node)]
    if (classes.includes('sl-openapi-request-body-required')) return [{ type: 'text', value: ' (required)' }]
    if (classes.includes('sl-openapi-tags')) return [limits(node)]
    return [{ ...node, children: cleaned(node.children) }]
  })
  return listed(kept)
}

/** Each tab under its label. */
function tabs(node: Element): ElementContent[] {
  const labels = selectAll('[role="tab"]', node).map((tab) => toString(tab).trim())
  return selectAll('[role="tabpanel"]', node).flatMap((panel, index) => [
    paragraph(labels[index]!),
    ...cleaned(panel.children),
  ])
}

/** Method, path and address, and each sample under its language. */
function operation(node: Element): ElementContent[] {
  const labels = new Map(
    selectAll('option', node).map((option) => [String(option.properties.value), toString(option).trim()]),
  )
  const line = selectAll('.sl-openapi-operation-description-header', node)
    .flatMap((header) => cleaned(header.children))
    .flatMap((part) => (part.type === 'element' ? part.children.map((each) => toString(each as Element)) : []))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const samples = selectAll('[data-openapi-snippet-id]', node).flatMap((sample) => [
    paragraph(labels.get(String(sample.properties.dataOpenapiSnippetId)) ?? 'curl'),
    ...cleaned(sample.children),
  ])
  return [element('p', [element('code', [{ type: 'text', value: line }])]), ...samples]
}

/** A field or parameter, as an item of a list. */
function item(node: Element): Element {
  const name = select('.sl-openapi-key-name', node)!
  const description = select('.sl-openapi-key-description', node)!
  // Those of its own fields are not its own.
  const marks = name.children.flatMap((mark) =>
    mark.type === 'element' && mark.tagName === 'div' ? [toString(mark).trim()] : [],
  )
  const head = element('p', [
    element('code', [{ type: 'text', value: toString(select('strong', name)!).trim() }]),
    { type: 'text', value: marks.length > 0 ? ` (${marks.join(', ')})` : '' },
  ])
  const made = element('li', [head, ...cleaned(description.children)])
  madeItems.add(made)
  return made
}

/** What a value has to be, such as its longest form or its pattern. */
function limits(node: Element): Element {
  const all = selectAll('.sl-openapi-tag', node).map((limit) =>
    element('code', [{ type: 'text', value: toString(limit).trim() }]),
  )
  return element(
    'p',
    all.flatMap((limit, at) => (at === 0 ? [limit] : [{ type: 'text', value: ', ' }, limit])),
  )
}

/** Items that were made and follow each other are one list. */
function listed(nodes: readonly ElementContent[]): ElementContent[] {
  const made: ElementContent[] = []
  let list: Element | undefined
  for (const node of nodes) {
    if (node.type === 'element' && madeItems.has(node)) {
      if (list === undefined) made.push((list = element('ul', [])))
      list.children.push(node)
    } else if (node.type !== 'text' || node.value.trim() !== '') {
      list = undefined
      made.push(node)
    } else if (list === undefined) made.push(node)
  }
  return made
}

const madeItems = new WeakSet<Element>()

function element(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children }
}

function paragraph(label: string): Element {
  return element('p', [element('strong', [{ type: 'text', value: label }])])
}

function language(pre: Element): string | undefined {
  return (pre.properties.dataLanguage as string | undefined) ?? undefined
}

function codeOf(pre: Element): string {
  const code = pre.children.find((child): child is Element => child.type === 'element' && child.tagName === 'code')
  return (code?.children ?? pre.children).map((line) => toString(line as Element).replace(/\n$/, '')).join('\n')
}
