import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'astro'
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
  await compressAssets(root)
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

/** What is served as it is, is compressed here and only handed out by the service. */
async function compressAssets(root: string): Promise<void> {
  const files = globSync('dist/**/*.{js,css,svg}', { cwd: root }).map((file) => `${root}${file}`)
  const queue = files.values()
  await Promise.all(Array.from({ length: availableParallelism() }, () => compressFrom(queue)))
}

async function compressFrom(files: Iterator<string> & Iterable<string>): Promise<void> {
  for (const file of files) {
    const bytes = await readFile(file)
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
      promisify(gzip)(bytes, { level: 9 }),
    ])
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
  }
}
