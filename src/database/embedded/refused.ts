/** An expected reason why the embedded server cannot run here; the message is one sentence for people. */
export class EmbeddedServerRefused extends Error {
  override readonly name = 'EmbeddedServerRefused'
}

/** The end of a refusal about the folder: what the operator can do instead. */
export const waysOut = 'set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own'

/** Turns file system errors about an unusable folder into a refusal; returns any other error as it is. */
export function refusalOf(error: unknown, folder: string): unknown {
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return reason ? new EmbeddedServerRefused(`${folder} ${reason}: ${waysOut}.`, { cause: error }) : error
}

/** How PostgreSQL's programs say that the disk is full. */
export const tellsOfFullDisk = /No space left on device|Disk quota exceeded|Check free disk space/

const reasons: Record<string, string | undefined> = {
  EEXIST: 'cannot hold the database because a file stands in its place',
  ENOTDIR: 'cannot hold the database because a file stands in its place',
  EACCES: 'cannot hold the database because this user may not read and write there',
  EPERM: 'cannot hold the database because its files may not be given to the database user',
  EINVAL: 'cannot hold the database because its files may not be given to the database user',
  EROFS: 'cannot hold the database because it is on a read-only file system',
  ENOSPC: 'cannot hold the database because the disk is full',
  EDQUOT: 'cannot hold the database because the disk quota is used up',
}
