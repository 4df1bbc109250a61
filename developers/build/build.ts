import { fileURLToPath } from 'node:url'
import { buildIfStale } from '../../bin/building/if-stale.ts'

/** Builds the developer site into `dist`, without any network. */
const root = fileURLToPath(new URL('..', import.meta.url))

const sources = [
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

await buildIfStale(root, sources, async () => (await import('./site.ts')).buildSite(root))
