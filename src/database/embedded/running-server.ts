import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterIn, ownerRole, servicePassword, serviceRole } from './cluster.ts'
import { readPostmasterFile } from './postmaster-file.ts'

/**
 * Connection string (with password) of a database on the embedded server that another process runs in `folder`;
 * undefined when none runs there.
 */
export async function runningServerUrl(
  folder: string,
  database: string,
  as: 'owner' | 'service',
): Promise<string | undefined> {
  const file = await readPostmasterFile(clusterIn(folder))
  if (file === undefined || file === 'unreadable') return undefined
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim()
  const user = as === 'owner' ? `${ownerRole}:${password}` : `${serviceRole}:${servicePassword(password)}`
  return `postgres://${user}@127.0.0.1:${file.port}/${encodeURIComponent(database)}`
}
