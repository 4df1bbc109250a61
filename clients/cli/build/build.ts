import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/**
 * Builds the program into one file, `dist/partner-commerce.js`, with the client and everything else that it needs, so
 * that nothing has to be fetched when it is installed. `--if-stale` does nothing where it was built from these very files.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}dist/.built-from`
const program = `${root}dist/partner-commerce.js`

execFileSync(process.execPath, [`${root}../typescript/build/build.ts`, '--if-stale'], { stdio: 'inherit' })
const sources = await digestOfSources()
const isFresh = existsSync(program) && existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources
if (!(process.argv.includes('--if-stale') && isFresh)) {
  await build({
    cwd: root,
    input: 'src/main.ts',
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
    output: { file: program, format: 'esm', banner: '#!/usr/bin/env node', codeSplitting: false },
  })
  await chmod(program, 0o755)
  await writeFile(stamp, sources)
}

async function digestOfSources(): Promise<string> {
  const files = globSync(['src/**/*.ts', 'build/*.ts', 'package.json', '../typescript/dist/**/*.js'], { cwd: root })
  const digest = createHash('sha256')
  for (const file of files.toSorted()) digest.update(file).update(await readFile(`${root}${file}`))
  return digest.digest('hex')
}
