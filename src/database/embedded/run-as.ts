import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedServerRefused, waysOut } from './refused.ts'

/** The user PostgreSQL runs as when it is not the user of this process. */
export type RunAs = { uid: number; gid: number }

/** By convention "nobody", the user who owns nothing else. */
const unprivileged: RunAs = { uid: 65534, gid: 65534 }

/**
 * PostgreSQL refuses to run as root. So root runs it as the owner of the cluster or, when there is no cluster yet, as
 * an unprivileged user. An ordinary user runs it as itself (undefined), and only on a cluster of its own.
 */
export async function chooseRunAs(cluster: string): Promise<RunAs | undefined> {
  const owner = await stat(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const self = process.getuid?.()
  if (self === 0) return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : unprivileged
  if (owner && owner.uid !== self) {
    throw new EmbeddedServerRefused(
      `${cluster} belongs to user ${owner.uid} and this process runs as user ${self}: start it as that user, or ${waysOut}.`,
    )
  }
  return undefined
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
