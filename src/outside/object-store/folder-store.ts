import type { ObjectStore } from './object-store.ts'

/**
 * The part of a store under `folder/`, so that two environments that share a bucket do not reach each other's objects.
 */
export function folderStore(store: ObjectStore, folder: string): ObjectStore {
  const within = (key: string): string => `${folder}/${key}`
  return {
    presignPut: (key, options) => store.presignPut(within(key), options),
    presignGet: (key, options) => store.presignGet(within(key), options),
    head: (key) => store.head(within(key)),
    read: (key) => store.read(within(key)),
    write: (key, body) => store.write(within(key), body),
    settle: (fromKey, toKey) => store.settle(within(fromKey), within(toKey)),
    remove: (key) => store.remove(within(key)),
  }
}
