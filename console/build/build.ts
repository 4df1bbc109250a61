import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * Builds the console into `dist`, and compresses what the build wrote, so that the service only hands it out.
 * `--if-stale` does nothing where `dist` was built from these very files.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = new URL('../dist/.built-from', import.meta.url)

const sources = await digestOfSources()
const isFresh = existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources
if (!(process.argv.includes('--if-stale') && isFresh)) {
  await import('./generate.ts')
  const { build } = await import('vite')
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
  await compressAll()
  await writeFile(stamp, sources)
}

async function digestOfSources(): Promise<string> {
  const patterns = [
    'src/**/*',
    'gallery/**/*',
    'build/*',
    'index.html',
    'vite.config.ts',
    'package.json',
    '../openapi/staff.json',
  ]
  const files = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.gen.'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted()
  const digest = createHash('sha256')
  for (const file of files) digest.update(file.slice(root.length)).update(await readFile(file))
  return digest.digest('hex')
}

async function compressAll(): Promise<void> {
  const files = globSync('dist/assets/*.{js,css,svg}', { cwd: root }).map((file) => `${root}${file}`)
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
