import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { buildIfStale } from '../../../bin/building/if-stale.ts'

/**
 * Builds the program into one file, `dist/partner-commerce.js`, with the client and everything else that it needs, so
 * that nothing has to be fetched when it is installed.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const program = `${root}dist/partner-commerce.js`

execFileSync(process.execPath, [`${root}../typescript/build/build.ts`, '--if-stale'], { stdio: 'inherit' })
const sources = ['src/**/*.ts', 'build/*.ts', 'package.json', '../typescript/dist/**/*.js']

await buildIfStale(root, sources, async () => {
  await build({
    cwd: root,
    input: 'src/main.ts',
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
    output: { file: program, format: 'esm', banner: '#!/usr/bin/env node', codeSplitting: false },
  })
  await chmod(program, 0o755)
})
