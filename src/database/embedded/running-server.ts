import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterIn, role } from './cluster.ts'
import { readPostmasterFile } from './postmaster-file.ts'

/**
 * Connection string (with password) of a database on the embedded server that another process runs in `folder`;
 * undefined when none runs there.
 */
export async function runningServerUrl(folder: string, database: string): Promise<string | undefined> {
  const file = await readPostmasterFile(clusterIn(folder))
  if (file === undefined || file === 'unreadable') return undefined
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim()
  return `postgres://${role}:${password}@127.0.0.1:${file.port}/${encodeURIComponent(database)}`
}
