import type { ObjectFolder } from '../outside/object-store/object-folder.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'

/**
 * @param key of a file that is not in the store
 * @returns undefined if the file is not one that this draws
 */
export type DrawsFile = (key: string) => Promise<Uint8Array | undefined> | undefined

/**
 * The store, in which the files of the demo data are whenever somebody asks for them. There are thousands and hardly any
 * is ever opened, so each is drawn when it is first asked for.
 */
export function withFilesWhenAsked(store: ObjectStore, drawers: readonly DrawsFile[]): ObjectStore {
  const present = new Map<string, Promise<void>>()

  function drawn(key: string): Promise<void> {
    const known = present.get(key)
    if (known) return known
    const drawing = drawIfMissing(key)
    present.set(key, drawing)
    drawing.catch(() => present.delete(key))
    return drawing
  }

  async function drawIfMissing(key: string): Promise<void> {
    if (!isDemoFile(key) || (await store.head(key))) return
    for (const draw of drawers) {
      const bytes = await draw(key)
      if (!bytes) continue
      await store.write(key, bytes)
      return
    }
  }

  return {
    ...store,
    presignGet: async (key, options) => {
      await drawn(key)
      return store.presignGet(key, options)
    },
    read: async (key) => {
      await drawn(key)
      return store.read(key)
    },
  }
}

/** The folder of a store, in which a file is drawn when it is first opened: to sign a link to it then costs nothing. */
export function folderWithFilesWhenOpened(folder: ObjectFolder, draw: DrawsFile): ObjectFolder {
  const underWay = new Map<string, Promise<unknown>>()
  return {
    ...folder,
    open: async (key) => {
      const object = await folder.open(key)
      if (object || !isDemoFile(key)) return object
      const drawing = underWay.getOrInsertComputed(key, async () => {
        const bytes = await draw(key)
        if (bytes) await folder.receive(key, [bytes])
      })
      await drawing.finally(() => underWay.delete(key))
      return folder.open(key)
    },
  }
}

/** Whether the file is one of the demo data, which is drawn when it is first asked for. */
export function isDemoFile(key: string): boolean {
  return key.startsWith('demo/') || key.startsWith('product-images/demo/')
}
