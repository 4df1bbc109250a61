import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from '../../../bin/building/if-stale.ts'

/** Builds the package into `dist`: JavaScript modules with their types. */
const root = fileURLToPath(new URL('..', import.meta.url))
const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))

const sources = [
  'src/**/*.ts',
  'build/*.ts',
  'package.json',
  'tsconfig.json',
  '../../openapi/{partner-commerce,sandbox,developer}.json',
]

await buildIfStale(root, sources, async () => {
  await (await import('./generate.ts')).generate()
  await rm(`${root}dist`, { recursive: true, force: true })
  execFileSync(process.execPath, [compiler, '-p', root], { stdio: 'inherit' })
  await nameJavaScriptInTypes()
})

/** The compiler renames `./file.ts` in the modules but not in their types. */
async function nameJavaScriptInTypes(): Promise<void> {
  for (const file of globSync('dist/**/*.d.ts', { cwd: root })) {
    const text = await readFile(`${root}${file}`, 'utf8')
    await writeFile(`${root}${file}`, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
  }
}
