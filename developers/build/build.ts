import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * Builds the developer site into `dist`, without any network. `--if-stale` does nothing where `dist` was built from these
 * very files.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = new URL('../dist/.built-from', import.meta.url)

const sources = await digestOfSources()
const isFresh = existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources
if (!(process.argv.includes('--if-stale') && isFresh)) {
  await (await import('./site.ts')).buildSite(root)
  await writeFile(stamp, sources)
}

async function digestOfSources(): Promise<string> {
  const patterns = [
    'src/**/*',
    'guides/*',
    'samples/**/*',
    'changelog/*',
    '../docs/{sandbox,artwork}.md',
    '../src/{contract,publish,sandbox/go-live}/**/*.ts',
    'build/*',
    'public/**/*',
    'astro.config.ts',
    'package.json',
    '../openapi/{partner-commerce,sandbox,developer}.json',
    '../clients/{typescript,cli}/{package.json,README.md,src/**/*.ts}',
    '../clients/python/*.py',
  ]
  const files = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.gen.') && !entry.parentPath.includes('/src/content/'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted()
  const digest = createHash('sha256')
  for (const file of files) digest.update(file.slice(root.length)).update(await readFile(file))
  return digest.digest('hex')
}
