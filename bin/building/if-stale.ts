import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'

/**
 * Builds the `dist` of a workspace, and notes what it was built from. With `--if-stale` on the command line it does nothing
 * where `dist` was built from these very files.
 * @param root the workspace, with a slash at its end
 * @param patterns what the build reads. Files that a build writes (`.gen.`, `src/content/`) don't count.
 */
export async function buildIfStale(
  root: string,
  patterns: readonly string[],
  build: () => Promise<unknown>,
): Promise<void> {
  const stamp = `${root}dist/.built-from`
  const sources = await digestOf(root, patterns)
  const isFresh = existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources
  if (process.argv.includes('--if-stale') && isFresh) return
  await build()
  await writeFile(stamp, sources)
}

async function digestOf(root: string, patterns: readonly string[]): Promise<string> {
  const files = globSync([...patterns], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.gen.') && !entry.parentPath.includes('/src/content'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted()
  const digest = createHash('sha256')
  for (const file of files) digest.update(file.slice(root.length)).update(await readFile(file))
  return digest.digest('hex')
}
