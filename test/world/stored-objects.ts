import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { TestService } from './service.ts'

/** The files of all objects in the service's own store, so that a test sees what is left over. */
export async function storedObjects({ dataDir }: Pick<TestService, 'dataDir'>): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.parentPath.includes(`${sep}objects${sep}`))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
