/** Tells errors of the disk from a failing body and from our own bugs. */
import { Outage } from '../../vocabulary/outage.ts'

const fullDisk = ['ENOSPC', 'EDQUOT', 'EFBIG']
const unfitDisk = ['EIO', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EMFILE', 'ENFILE', 'ESTALE', 'ENODEV']

/** `full` ends when space is freed, `unfit` needs attention; undefined when the error is not the disk's. */
export function diskFault(error: unknown): 'full' | 'unfit' | undefined {
  if (fullDisk.some((code) => isCode(error, code))) return 'full'
  return unfitDisk.some((code) => isCode(error, code)) ? 'unfit' : undefined
}

/** Does the work. A disk fault becomes an Outage; any other error passes as it is. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const fault = diskFault(cause)
    if (fault === undefined) throw cause
    throw new Outage(fault === 'full' ? 'The storage disk is full' : 'The storage folder cannot be used', cause)
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
