import { spawnSync } from 'node:child_process'

/**
 * Builds what is served or handed out: the clients, the console, and the developer site, which offers the clients.
 * `--if-stale` builds only what has changed since it was built.
 */
const builds = [
  'clients/typescript/build/build.ts',
  'clients/cli/build/build.ts',
  'console/build/build.ts',
  'developers/build/build.ts',
]

for (const build of builds) {
  const { status } = spawnSync(process.execPath, [build, ...process.argv.slice(2)], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
