import { execFile, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { mutants } from '../test/mutants/all.ts'
import type { Mutant } from '../test/mutants/mutant.ts'

/**
 * Plants the bugs of `test/mutants/` one at a time in a copy of this tree, and runs the test file that must notice:
 * `npm run mutants`, or `npm run mutants -- PATH …` for the bugs in files whose path begins so. Prints who lived, and
 * ends with exit code 1 if any did.
 */
const copiesAtOnce = 2
/** A bug may make a test wait for what never comes. Such a test has noticed it. */
const testSeconds = 300

const run = promisify(execFile)

type Outcome = 'caught' | 'lived' | 'not planted'

const prefixes = process.argv.slice(2)
const chosen = mutants.filter(({ in: path }) => prefixes.length === 0 || prefixes.some((each) => path.startsWith(each)))
if (chosen.length === 0) {
  process.stderr.write(`There is no planted bug in ${prefixes.join(', ')}.\n`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-mutants-'))
// Where children have users of their own, these read the program too.
await chmod(folder, 0o755)
try {
  process.exitCode = (await plantAll(chosen)) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Answers whether all were caught. */
async function plantAll(all: readonly Mutant[]): Promise<boolean> {
  const copies = await Promise.all(Array.from({ length: copiesAtOnce }, (_, at) => copyOfTree(join(folder, `${at}`))))
  const files = [...new Set(all.map(({ caughtBy }) => caughtBy))]
  process.stdout.write(`${files.length} test files without a planted bug …\n`)
  const [clean, said] = await ranTests(copies[0]!, files)
  if (!clean) {
    process.stdout.write(`${said}\nThe tests fail without a planted bug: mend them first.\n`)
    return false
  }
  const waiting = [...all]
  const lived: string[] = []
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const outcome = await planted(copy, mutant)
        const line = `${outcome.padEnd(11)}  ${mutant.in}: ${mutant.says}`
        process.stdout.write(`${line}\n`)
        if (outcome !== 'caught') lived.push(`${line}\n             ${mutant.caughtBy}`)
      }
    }),
  )
  process.stdout.write(`\n${all.length} planted, ${all.length - lived.length} caught, ${lived.length} lived\n`)
  if (lived.length > 0) process.stdout.write(`\n${lived.join('\n')}\n`)
  return lived.length === 0
}

async function planted(copy: string, { in: path, from, to, caughtBy }: Mutant): Promise<Outcome> {
  const file = join(copy, path)
  const text = await readFile(file, 'utf8')
  if (text.split(from).length !== 2) return 'not planted'
  await writeFile(
    file,
    text.replace(from, () => to),
  )
  try {
    const [passes, said] = await ranTests(copy, [caughtBy])
    // A program that cannot be loaded fails every test, which proves nothing.
    if (/SyntaxError|ERR_MODULE_NOT_FOUND|ReferenceError/.test(said)) return 'not planted'
    return passes ? 'lived' : 'caught'
  } finally {
    await writeFile(file, text)
  }
}

async function ranTests(copy: string, files: readonly string[]): Promise<[passes: boolean, said: string]> {
  const child = spawn(process.execPath, ['bin/test.ts', ...files], { cwd: copy, stdio: ['ignore', 'pipe', 'inherit'] })
  const limit = setTimeout(() => child.kill('SIGTERM'), testSeconds * files.length * 1_000)
  const said = String(await buffer(child.stdout))
  clearTimeout(limit)
  if (child.exitCode === null) await new Promise((ended) => child.once('close', ended))
  return [child.exitCode === 0, said]
}

/**
 * Copies the files that git knows or would add, as they are now, and the packages: what builds the developer site wants
 * them inside the tree that it builds.
 */
async function copyOfTree(copy: string): Promise<string> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', list, { maxBuffer: 2 ** 26 })
  for (const path of stdout.split('\0').filter(Boolean)) await cp(path, join(copy, path)).catch(ignoreRemoved)
  // Workspaces have packages of their own.
  for (const path of globSync(['node_modules', '*/node_modules', '*/*/node_modules'], { exclude: ['node_modules/**'] }))
    await copyPackages(path, join(copy, path))
  return copy
}

/** Links every file, which takes no room. A folder on another disk is copied. */
async function copyPackages(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]).catch(() => cp(from, to, { recursive: true, verbatimSymlinks: true }))
}

/** git still lists a file that was removed but not committed. */
function ignoreRemoved(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
