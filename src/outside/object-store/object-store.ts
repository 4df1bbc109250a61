/**
 * What the rest of the service uses to store files: print files, proof files, product images.
 *
 * A store keeps bytes under a key and knows their size and MD5. It owns no names, no media types and no access rights:
 * the database record that has the key owns those. Two stores implement this contract: `embedded-store.ts` (a folder
 * with its own listener) and `s3-store.ts` (any S3). `object-store.test.ts` checks the contract against both.
 */
import type { Readable } from 'node:stream'

/** What storage knows about a complete object (ART-15, ART-17). `md5` is lowercase hex of the stored bytes. */
export type StoredObject = { sizeBytes: number; md5: string }

/** Storage that cannot be reached, is full or answers nonsense is an Outage, whose message has no URL and no key. */
export type ObjectStore = {
  /**
   * A URL for a PUT of the bytes; until it expires, each PUT replaces the one before, straight to storage. The signature covers `contentType` (ART-10): the PUT must have
   * exactly that Content-Type; with null it may have any or none. `expiresOn` is when the URL stops working. The URL is
   * a credential (ART-07).
   */
  presignPut(
    key: string,
    options: { contentType: string | null; lifetimeSeconds: number; now: Date },
  ): Promise<{ url: string; expiresOn: Date }>

  /**
   * A URL that reads the object. The answer has `contentType` (`application/octet-stream` when left out), whatever the
   * uploader claimed; `downloadName` makes it a download of that name. The URL is a credential.
   */
  presignGet(
    key: string,
    options: { lifetimeSeconds: number; now: Date; downloadName?: string; contentType?: string },
  ): Promise<string>

  /** undefined when there is no complete object: it was never uploaded, or the upload was cut */
  head(key: string): Promise<StoredObject | undefined>

  /**
   * The object's bytes. The caller reads the stream to its end or destroys it. A cut transfer is an error on the
   * stream.
   */
  read(key: string): Promise<Readable | undefined>

  /**
   * Writes from the server's side. The caller bounds the body. When it fails midway, the key keeps its former object.
   */
  write(key: string, body: Readable | Uint8Array): Promise<StoredObject>

  /**
   * Copies an upload to a key that never had an upload URL, so that a later PUT through the old URL cannot change what
   * was attached. An object already at `toKey` is kept and returned. `fromKey` stays, because a refused attach must
   * leave its reservation usable (ART-18); the caller removes it once the attach is committed. Choose a new `toKey` for
   * each attempt: not every S3 honours "only if absent" when two settles race for one key. undefined when there is no
   * complete object at `fromKey`.
   */
  settle(fromKey: string, toKey: string): Promise<StoredObject | undefined>

  /** Also succeeds when there is no object. */
  remove(key: string): Promise<void>
}

/** The type of objects without one: browsers download it and never render it. */
export const untypedContent = 'application/octet-stream'

export const keyLengthMax = 512

/** Keys mean the same in a URL, in S3 and on any file system: ASCII segments that do not start with a dot. */
const keyForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

export function isObjectKey(key: string): boolean {
  return key.length <= keyLengthMax && keyForm.test(key)
}

/** Returns the key. Throws a TypeError when it is malformed: we make the keys, so that is a bug. */
export function checkedKey(key: string): string {
  if (!isObjectKey(key)) throw new TypeError('An object key is made of slash-separated segments of A-Z a-z 0-9 . _ -')
  return key
}

/** Returns a header value that can be signed and sent as it is. Throws a TypeError on anything but printable ASCII. */
export function checkedHeaderValue(value: string): string {
  if (!/^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/.test(value)) {
    throw new TypeError('A header value is printable ASCII without blanks at its ends')
  }
  return value
}

/** The query parameters of a read link that decide its answer's headers; both stores sign the same two. */
export function answerOverrides(options: { downloadName?: string; contentType?: string }): [string, string][] {
  const overrides: [string, string][] = [
    ['response-content-type', checkedHeaderValue(options.contentType ?? untypedContent)],
  ]
  if (options.downloadName !== undefined) {
    overrides.push(['response-content-disposition', attachmentDisposition(options.downloadName)])
  }
  return overrides
}

/** `Content-Disposition` of a download in both forms, plain ASCII and UTF-8 (RFC 6266 §4.3, RFC 8187 §3.2). */
export function attachmentDisposition(downloadName: string): string {
  const plain = downloadName.replace(/[^\u0020-\u007e]|["\\%/]/gu, '_')
  const encoded = encodeURIComponent(downloadName.toWellFormed()).replace(/['()*]/g, percentEncoded)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
