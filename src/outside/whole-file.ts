import { rename, rm, writeFile } from 'node:fs/promises'

/** Replaces a file: readers see the old one or the new one, never a part. */
export async function writeWholeFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const unfinished = `${path}.new`
  // A start that was killed may have left an unfinished file, with another mode.
  await rm(unfinished, { force: true })
  await writeFile(unfinished, content, { mode, flag: 'wx' })
  await rename(unfinished, path)
}
