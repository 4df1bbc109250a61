import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { operationsOf, readDocuments } from './documents.ts'
import { guidePages } from './pages.ts'
import { referenceDocument } from './reference.ts'
import { tryIts } from './try-its.ts'

/** Writes what the site is built from besides its own files. Nothing of it is in the repository. */
const here = (path: string) => new URL(`../${path}`, import.meta.url)

export async function generate(): Promise<void> {
  const documents = readDocuments()
  await writeIfNew(here('src/reference.gen.json'), JSON.stringify(referenceDocument(documents), null, 1))
  const summaries = operationsOf(documents).map(({ slug, object }) => [slug, `${object.summary}.`])
  await writeIfNew(here('src/summaries.gen.json'), JSON.stringify(Object.fromEntries(summaries), null, 1))
  await writeIfNew(here('src/try-its.gen.json'), JSON.stringify(tryIts(documents), null, 1))

  const pages = guidePages(documents)
  for (const [path, text] of pages) await writeIfNew(here(`src/content/docs/${path}`), text)
  for (const path of globSync('**/*.{md,mdx}', { cwd: here('src/content/docs/') })) {
    if (!pages.has(path)) await rm(here(`src/content/docs/${path}`))
  }
}

/** A file that stays as it is wakes no watcher. */
async function writeIfNew(file: URL, text: string): Promise<void> {
  await mkdir(new URL('.', file), { recursive: true })
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text)
}
