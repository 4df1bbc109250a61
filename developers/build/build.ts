import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * Builds the developer site into `dist`, without any network. `--if-stale` does nothing where `dist` was built from these
 * very files.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = new URL('../dist/.built-from', import.meta.url)

const sources = await digestOfSources()
const isFresh = existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources
if (!(process.argv.includes('--if-stale') && isFresh)) {
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  await import('./portal-contract.ts')
  await import('./generate.ts')
  const { build } = await import('astro')
  await build({ root, logLevel: 'warn' })
  await rm(`${root}dist/.prerender`, { recursive: true, force: true })
  await writeDocuments()
  await compressAssets()
  await writeFile(stamp, sources)
}

async function digestOfSources(): Promise<string> {
  const patterns = [
    'src/**/*',
    'guides/*',
    'samples/**/*',
    'changelog/*',
    '../docs/{sandbox,artwork}.md',
    '../src/{contract,publish}/**/*.ts',
    'build/*',
    'public/**/*',
    'astro.config.ts',
    'package.json',
    '../openapi/{partner-commerce,sandbox,developer}.json',
  ]
  const files = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.gen.') && !entry.parentPath.includes('/src/content/'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted()
  const digest = createHash('sha256')
  for (const file of files) digest.update(file.slice(root.length)).update(await readFile(file))
  return digest.digest('hex')
}

/** The documents at the addresses at which programs look for them. */
async function writeDocuments(): Promise<void> {
  const { readDocuments } = await import('./documents.ts')
  for (const { path, text } of readDocuments()) await writeWithFolder(`${root}dist/${path}`, text)
}

async function writeWithFolder(file: string, bytes: string): Promise<void> {
  await mkdir(file.slice(0, file.lastIndexOf('/')), { recursive: true })
  await writeFile(file, bytes)
}

/** What is served as it is, is compressed here and only handed out by the service. */
async function compressAssets(): Promise<void> {
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
