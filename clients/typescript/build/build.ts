import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * Builds the package into `dist`: JavaScript modules with their types. `--if-stale` does nothing where `dist` was built
 * from these very files.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = new URL('../dist/.built-from', import.meta.url)
const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))

const sources = await digestOfSources()
const isFresh = existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources
if (!(process.argv.includes('--if-stale') && isFresh)) {
  await (await import('./generate.ts')).generate()
  await rm(`${root}dist`, { recursive: true, force: true })
  execFileSync(process.execPath, [compiler, '-p', root], { stdio: 'inherit' })
  await nameJavaScriptInTypes()
  await writeFile(stamp, sources)
}

async function digestOfSources(): Promise<string> {
  const patterns = [
    'src/**/*.ts',
    'build/*.ts',
    'package.json',
    'tsconfig.json',
    '../../openapi/{partner-commerce,sandbox,developer}.json',
  ]
  const files = globSync(patterns, { cwd: root }).filter((file) => !file.includes('.gen.'))
  const digest = createHash('sha256')
  for (const file of files.toSorted()) digest.update(file).update(await readFile(`${root}${file}`))
  return digest.digest('hex')
}

/** The compiler renames `./file.ts` in the modules but not in their types. */
async function nameJavaScriptInTypes(): Promise<void> {
  for (const file of globSync('dist/**/*.d.ts', { cwd: root })) {
    const text = await readFile(`${root}${file}`, 'utf8')
    await writeFile(`${root}${file}`, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
  }
}
