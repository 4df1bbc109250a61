import { readdir, readFile } from 'node:fs/promises'

/** A migration as its file has it. */
export type MigrationFile = {
  name: string
  text: string
  /**
   * From `-- lives-with: NAME` in the first line: the oldest program that can live on the schema, by the newest migration
   * that it brings. Undefined = no program before the one that brings this file.
   */
  livesWith: string | undefined
  /** From `-- outside-transaction` in the second line: each paragraph of the text is a statement of its own. */
  outsideTransaction: boolean
}

export const migrationsFolder = new URL('migrations/', import.meta.url)

/** The migrations of a folder, in the order in which they are applied. */
export async function readMigrationFiles(folder = migrationsFolder): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      const [first, second] = text.split('\n')
      return {
        name,
        text,
        livesWith: /^-- lives-with: (\S+)$/.exec(first!)?.[1],
        outsideTransaction: second === '-- outside-transaction',
      }
    }),
  )
}
