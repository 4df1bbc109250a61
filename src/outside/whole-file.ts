import { rename, rm, writeFile } from 'node:fs/promises'

/** Replaces a file: readers see the old one or the new one, never a part. */
export async function writeWholeFile(path: string, text: string, mode: number): Promise<void> {
  const unfinished = `${path}.new`
  // An unfinished one of a start that was killed may have lost its mode.
  await rm(unfinished, { force: true })
  await writeFile(unfinished, text, { mode, flag: 'wx' })
  await rename(unfinished, path)
}
