import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Builds a workspace where it is out of date, and writes its package as `npm pack` does: a file that `npm install` takes.
 * @param root the workspace
 * @param file where to, such as `downloads/partner-commerce.tgz`
 */
export async function pack(root: string, file: string): Promise<void> {
  await run(process.execPath, [join(root, 'build/build.ts'), '--if-stale'])
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-pack-'))
  try {
    const [command, ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
    const asked = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const { stdout } = await run(command!, [...first, ...asked], { cwd: root })
    // npm 11 answers a list of packages, npm 12 an object of them.
    const [{ filename }] = Object.values(JSON.parse(stdout)) as [{ filename: string }]
    await copyFile(join(folder, filename), file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await pack(process.argv[2]!, process.argv[3]!)
