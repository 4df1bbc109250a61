import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The clients and the command line as packages that install without any registry. */
const clients = fileURLToPath(new URL('../../clients/', import.meta.url))

const packages = [
  ['typescript', 'partner-commerce-client.tgz'],
  ['cli', 'partner-commerce.tgz'],
] as const

const run = promisify(execFile)

/** @param folder is made, and holds the files under names without a version */
export async function writeDownloads(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name] of packages) await run(process.execPath, [`${clients}${name}/build/build.ts`, '--if-stale'])
  await Promise.all(packages.map(([name, file]) => pack(`${clients}${name}`, join(folder, file))))
  const python = `${clients}python/partner_commerce.py`
  if (existsSync(python)) await copyFile(python, join(folder, 'partner_commerce.py'))
}

async function pack(root: string, file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-pack-'))
  try {
    const [command, ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
    const asked = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const { stdout } = await run(command!, [...first, ...asked], { cwd: root })
    // npm 11 answers a list of packages, npm 12 an object of them.
    const [{ filename }] = Object.values(JSON.parse(stdout)) as [{ filename: string }]
    await rename(join(folder, filename), file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
