import { spawnSync } from 'node:child_process'

/** Checks the types of every program, after what is generated for them. */
function run(program: string, ...words: readonly string[]): void {
  const { status } = spawnSync(program, words, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

run(process.execPath, 'clients/typescript/build/build.ts', '--if-stale')
run(process.execPath, 'console/build/generate.ts')
run(process.execPath, 'developers/build/portal-contract.ts', '--types')

const projects = [
  '.',
  'console',
  'clients/typescript',
  'clients/typescript/test',
  'clients/python',
  'clients/cli',
  'developers',
]
for (const project of projects) run('node_modules/.bin/tsc', '--noEmit', '-p', project)
