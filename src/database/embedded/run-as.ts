import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedServerRefused, waysOut } from './refused.ts'

/** The user PostgreSQL runs as when it is not the user of this process. */
export type RunAs = { uid: number; gid: number }

/** By convention "nobody". Other services run as that user too, so the server does not. */
const nobody = 65534

/** Ids that systems neither give to accounts nor take for services that ask for one. */
const freeIds = { from: 60_600, to: 61_183 }

/**
 * PostgreSQL refuses to run as root. So root runs it as the owner of the cluster or, when there is no cluster yet, as
 * a user of its own. An ordinary user runs it as itself (undefined), and only on a cluster of its own.
 */
export async function chooseRunAs(cluster: string): Promise<RunAs | undefined> {
  const owner = await stat(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const self = process.getuid?.()
  if (self === 0) return owner && ![0, nobody].includes(owner.uid) ? { uid: owner.uid, gid: owner.gid } : ownUser()
  if (owner && owner.uid !== self) {
    throw new EmbeddedServerRefused(
      `${cluster} belongs to user ${owner.uid} and this process runs as user ${self}: start it as that user, or ${waysOut}.`,
    )
  }
  return undefined
}

/** A user and a group without an account, so that no other process runs as them. The server needs no account. */
async function ownUser(): Promise<RunAs> {
  const files = await Promise.all(['/etc/passwd', '/etc/group'].map((file) => readFile(file, 'utf8').catch(() => '')))
  const taken = new Set(files.flatMap((text) => text.split('\n').map((line) => Number(line.split(':')[2]))))
  for (let id = freeIds.from; id <= freeIds.to; id++) if (!taken.has(id)) return { uid: id, gid: id }
  throw new EmbeddedServerRefused(`All user ids from ${freeIds.from} to ${freeIds.to} have accounts: ${waysOut}.`)
}

/**
 * The user to make the cluster as: initdb asks for the name of its user. Only the group is the server's own, so the
 * work must be done in a folder that only the group may enter. A process with another group cannot look into it.
 */
export function withName(runAs: RunAs): RunAs {
  return { uid: nobody, gid: runAs.gid }
}

/** Whether that user may pass through the folder and every folder above it, judged by the permission bits. */
export async function mayPass(runAs: RunAs | undefined, folder: string): Promise<boolean> {
  if (!runAs) return true
  for (let at = folder; ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at)
    const mayEnter = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001
    if ((mode & mayEnter) === 0) return false
    if (at === dirname(at)) return true
  }
}
