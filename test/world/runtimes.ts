import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Other runtimes for JavaScript, in which partners run the client: those in the folder that RUNTIMES names, where npm
 * installed them. If one is missing, its tests are skipped with a warning, or fail if REQUIRE_SERVICES=1.
 */
export type GivenRuntime = { path: string; skip: false } | { path: undefined; skip: string }

export function givenRuntime(name: 'bun' | 'deno'): GivenRuntime {
  const folder = process.env.RUNTIMES
  const path = folder && join(folder, 'node_modules/.bin', name)
  if (path && existsSync(path)) return { path, skip: false }
  const said = folder ? `there is no ${name} in ${folder}` : `RUNTIMES names no folder with ${name}`
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`${said}, and REQUIRE_SERVICES=1 asks for it`)
  process.stderr.write(`\n!!! SKIPPED: the tests that need ${name}: ${said}.\n\n`)
  return { path: undefined, skip: said }
}
