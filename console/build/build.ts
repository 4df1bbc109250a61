import { fileURLToPath } from 'node:url'
import { compress } from '../../bin/building/compress.ts'
import { buildIfStale } from '../../bin/building/if-stale.ts'

/** Builds the console into `dist`, and compresses what the build wrote. */
const root = fileURLToPath(new URL('..', import.meta.url))

const sources = [
  'src/**/*',
  'gallery/**/*',
  'build/*',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../openapi/staff.json',
]

await buildIfStale(root, sources, async () => {
  await import('./generate.ts')
  const { build } = await import('vite')
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
  await compress(root, 'dist/assets/*.{js,css,svg}')
})
