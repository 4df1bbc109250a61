import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build } from 'astro'
import { compress } from '../../bin/building/compress.ts'
import { readDocuments } from './documents.ts'
import { writeDownloads } from './downloads.ts'
import { generate } from './generate.ts'
import { llmsText, wholeText } from './llms.ts'
import { writeMarkdown } from './markdown.ts'

/** Everything that the service serves of this workspace. @param root the workspace, with a slash at its end */
export async function buildSite(root: string): Promise<void> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  await generate()
  await import('./portal-contract.ts')
  // What Astro keeps of an earlier build was made with the settings of then.
  await rm(`${root}node_modules/.astro`, { recursive: true, force: true })
  await build({ root, logLevel: 'error' })
  await rm(`${root}dist/.prerender`, { recursive: true, force: true })
  await writeTexts(root)
  await writeDownloads(`${root}dist/downloads`)
  await compress(root, 'dist/**/*.{js,css,svg}')
}

/** What programs read: the documents of the contract, and every page as Markdown. */
async function writeTexts(root: string): Promise<void> {
  const documents = readDocuments()
  for (const { path, text } of documents) await writeWithFolder(`${root}dist/${path}`, text)
  const texts = await writeMarkdown(`${root}dist`)
  const titles = documents.map(({ path, document }) => ({ path, title: document.info.title }))
  await writeFile(`${root}dist/llms.txt`, llmsText(texts, titles))
  await writeFile(`${root}dist/llms-full.txt`, wholeText(texts))
}

async function writeWithFolder(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
