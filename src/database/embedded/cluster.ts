import { createHmac, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lchown,
  link,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runCommand } from './command.ts'
import { EmbeddedServerRefused, tellsOfFullDisk, waysOut } from './refused.ts'
import { mayPass, type RunAs, withName } from './run-as.ts'

/** The superuser of the cluster, who owns everything in it and migrates. */
export const ownerRole = 'app'

/** The role with which the service connects. */
export const serviceRole = 'service'

/**
 * The service role's password, worked out from the owner's, so that one file opens the cluster and a copy of the folder
 * is whole.
 */
export function servicePassword(password: string): string {
  return createHmac('sha256', password).update('role service').digest('base64url')
}

/**
 * The password of the owner, made at first use and stored in a file that only this process's user can read. Without a
 * password, any user of the machine could connect to the server's port.
 */
export async function readOrMakePassword(folder: string): Promise<string> {
  const file = join(folder, 'password')
  for (;;) {
    const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (found) return found
    if (await hasCluster(folder)) {
      throw new EmbeddedServerRefused(
        `${file} is missing and the database opens with it alone: restore it, or ${waysOut}.`,
      )
    }
    const draft = `${file}-${randomBytes(6).toString('hex')}`
    try {
      await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
      // Linking, unlike renaming, does not replace the password of another process that was faster.
      await link(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      await rm(draft, { force: true })
    }
  }
}

/** The folder of PostgreSQL's files within the data folder. */
export function clusterIn(folder: string): string {
  return join(folder, 'cluster')
}

/** Whether the data folder contains a cluster; refuses one made by another major version of PostgreSQL. */
export async function checkCluster(folder: string, major: string): Promise<boolean> {
  if (!(await hasCluster(folder))) return false
  const cluster = clusterIn(folder)
  const made = await readFile(join(cluster, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new EmbeddedServerRefused(`${cluster} is not a PostgreSQL cluster: move it away, or ${waysOut}.`)
    },
  )
  if (made !== major) {
    throw new EmbeddedServerRefused(
      `${cluster} was made by PostgreSQL ${made} and this service brings PostgreSQL ${major}, which cannot open it: ${waysOut}.`,
    )
  }
  return true
}

/**
 * Gives the cluster, on which no server runs, to the database user: a copy that root restores belongs to root, and
 * clusters were once made for the user nobody.
 */
export async function handOver(cluster: string, runAs: RunAs | undefined): Promise<void> {
  if (!runAs || (await stat(cluster)).uid === runAs.uid) return
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), runAs.uid, runAs.gid)
  }
  // Last, because it tells the next start that all files have their owner.
  await chown(cluster, runAs.uid, runAs.gid)
}

/**
 * Makes the cluster in a draft folder and renames it when it is complete and on disk. So an end at any moment leaves
 * either a good cluster or none.
 */
export async function makeCluster(options: {
  folder: string
  binaries: string
  runAs: RunAs | undefined
  password: string
}): Promise<void> {
  const { folder, binaries, runAs, password } = options
  const draft = await mkdtemp(join(folder, 'cluster.new-'))
  const made = clusterIn(draft)
  const maker = runAs && withName(runAs)
  try {
    if (runAs) {
      await chown(draft, 0, runAs.gid)
      await chmod(draft, 0o710)
    }
    await mkdir(made, { mode: 0o700 })
    if (maker) await chown(made, maker.uid, maker.gid)
    const { code, output } = await runCommand(
      join(binaries, 'bin', 'initdb'),
      [
        ['-D', await pathForServer(made, maker)],
        ['-U', ownerRole, '--pwprompt', '--auth=scram-sha-256'],
        ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ['--data-checksums'],
      ].flat(),
      { folder: made, runAs: maker, input: `${password}\n${password}\n` },
    )
    if (code !== 0) throw refusalOfInitdb(folder, output)
    await handOver(made, runAs)
    await rename(made, clusterIn(folder))
    await syncFolder(folder)
    await syncFolder(dirname(folder))
  } catch (error) {
    // Another process may have been faster; its cluster is just as good.
    if (!(await hasCluster(folder))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Removes what an interrupted `makeCluster` left behind. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('cluster.new-')) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * The path by which the database user finds the folder it is started in. A folder above may be closed to that user, as
 * root's home is. Linux then offers the working directory, which is entered before the user is changed and stays open.
 */
export async function pathForServer(workingFolder: string, runAs: RunAs | undefined): Promise<string> {
  if (await mayPass(runAs, dirname(workingFolder))) return workingFolder
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new EmbeddedServerRefused(
    `${workingFolder} is out of reach of the user PostgreSQL runs as when root starts it: ${waysOut}.`,
  )
}

async function hasCluster(folder: string): Promise<boolean> {
  return (await stat(clusterIn(folder)).catch(() => undefined)) !== undefined
}

function refusalOfInitdb(folder: string, output: string): EmbeddedServerRefused {
  if (tellsOfFullDisk.test(output)) {
    return new EmbeddedServerRefused(`${folder} cannot hold the database because the disk is full: ${waysOut}.`)
  }
  const [, reason] = /(?:FATAL|PANIC|error): +(.*)/i.exec(output) ?? []
  return new EmbeddedServerRefused(
    `The database could not be made in ${folder} (${reason ?? output.trim().split('\n').at(-1)}): ${waysOut}.`,
  )
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
