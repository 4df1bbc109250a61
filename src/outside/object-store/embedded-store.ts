/**
 * The object store without S3: objects in a folder, with URLs signed by our own keys. The listener of
 * `storage-listener.ts` answers the URLs and must have the same keys and bucket.
 */
import { onDisk } from './disk-fault.ts'
import { answerOverrides, checkedHeaderValue, checkedKey, type ObjectStore, type StoredObject } from './object-store.ts'
import { expiryOf, presignedUrl, type SigningKey } from './signing-v4.ts'
import type { ObjectFolder } from './object-folder.ts'

/**
 * The store in a folder. `endpoint` is where clients reach the listener, `http(s)://host[:port]`. A proxy in between
 * must forward the Host header, because the signature covers it.
 */
export function embeddedStore(
  folder: ObjectFolder,
  settings: { endpoint: string; bucket: string; signingKey: SigningKey },
): ObjectStore {
  const { bucket, signingKey } = settings
  const origin = new URL(settings.endpoint).origin

  function presigned(
    method: string,
    key: string,
    query: [string, string][],
    headers: [string, string][],
    { now, lifetimeSeconds }: { now: Date; lifetimeSeconds: number },
  ): string {
    const path = `/${bucket}/${checkedKey(key)}`
    return presignedUrl({ method, origin, path, query, headers, key: signingKey, now, lifetimeSeconds })
  }

  return {
    async presignPut(key, options) {
      const { contentType, lifetimeSeconds, now } = options
      const bound: [string, string][] = contentType === null ? [] : [['content-type', checkedHeaderValue(contentType)]]
      return { url: presigned('PUT', key, [], bound, options), expiresOn: expiryOf(now, lifetimeSeconds) }
    },

    async presignGet(key, options) {
      return presigned('GET', key, answerOverrides(options), [], options)
    },

    head: (key) => onDisk(() => folder.head(key)),

    read: (key) =>
      onDisk(async () => {
        const object = await folder.open(key)
        return object?.stream(0, object.sizeBytes - 1)
      }),

    write: (key, body) => onDisk(() => folder.receive(key, body instanceof Uint8Array ? [body] : body)),

    settle: (fromKey, toKey) =>
      onDisk(async (): Promise<StoredObject | undefined> => {
        await folder.settle(fromKey, toKey)
        return folder.head(toKey)
      }),

    remove: (key) => onDisk(() => folder.remove(key)),
  }
}
