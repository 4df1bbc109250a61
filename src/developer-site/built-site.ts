import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzipSync, gzip, gzipSync } from 'node:zlib'

/** What the build of the developer site wrote, as it is served: with the real addresses in it, and compressed once. */

export type Coding = 'br' | 'gzip'

export type SiteFile = {
  mediaType: string
  /** of the bytes as they are without a coding */
  revision: string
  /** its name changes with its bytes */
  immutable: boolean
  /** the hashes of the scripts and styles that stand in a page; undefined = it is no page */
  inline: InlineHashes | undefined
  /** the codings in which `bytes` has it */
  codings: readonly Coding[]
  bytes: (coding: Coding | undefined) => Promise<Buffer>
}

export type InlineHashes = { scripts: readonly string[]; styles: readonly string[] }

export type BuiltSite = {
  /** undefined = there is no such file. @param path from the root, such as `/guides/proofs/index.html` */
  file: (path: string) => Promise<SiteFile | undefined>
  has: (path: string) => boolean
}

/** Addresses of the service by the placeholders with which the site is built. */
export type Addresses = Readonly<Record<string, string>>

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.py': 'text/x-python; charset=utf-8',
  '.tgz': 'application/gzip',
  // What search reads; compressed by its build.
  '.pagefind': 'application/octet-stream',
  '.pf_meta': 'application/octet-stream',
  '.pf_index': 'application/octet-stream',
  '.pf_fragment': 'application/octet-stream',
}

/** Files in which placeholders are replaced. */
const addressed = new Set(['.html', '.md', '.txt', '.json', '.xml', '.py'])
const compressible = new Set([...addressed, '.js', '.css', '.svg'])

/** Where names have a hash of their bytes. */
const hashed = /^\/(?:_astro|pagefind\/index)\//

/**
 * @param folder what is in it now is served; undefined = that of the workspace `developers`
 * @param addresses known once all listen
 */
export function openBuiltSite(
  addresses: () => Addresses,
  folder = fileURLToPath(new URL('../../developers/dist/', import.meta.url)),
): BuiltSite {
  const paths = new Set(filesIn(folder))
  const opened = new Map<string, Promise<SiteFile | undefined>>()
  return {
    has: (path) => paths.has(path),
    file: async (path) => {
      if (!paths.has(path)) return undefined
      const known = opened.get(path) ?? openFile(folder, path, addresses())
      opened.set(path, known)
      return known
    },
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && mediaTypes[extname(entry.name)] !== undefined)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length - 1))
}

async function openFile(folder: string, path: string, addresses: Addresses): Promise<SiteFile | undefined> {
  const extension = extname(path)
  const read = async (): Promise<Buffer> => {
    const bytes = await readFile(join(folder, path))
    // What search shows of a page is compressed by its build.
    if (extension === '.pf_fragment') return gzipSync(withAddresses(gunzipSync(bytes).toString(), addresses))
    return addressed.has(extension) ? Buffer.from(withAddresses(bytes.toString(), addresses)) : bytes
  }
  const first = await read().catch(() => undefined)
  // A newer build may have taken its place.
  if (first === undefined) return undefined
  const coded = new Map<Coding, Promise<Buffer>>()
  return {
    mediaType: mediaTypes[extension]!,
    revision: createHash('sha256').update(first).digest('base64url').slice(0, 27),
    immutable: hashed.test(path),
    inline: extension === '.html' ? inlineHashes(first.toString()) : undefined,
    codings: compressible.has(extension) && first.length > 1024 ? ['br', 'gzip'] : [],
    bytes: (coding) => {
      if (coding === undefined) return read()
      const known = coded.get(coding) ?? codedBytes(join(folder, path), coding, read)
      coded.set(coding, known)
      return known
    },
  }

  /** Files whose bytes the build knew are compressed by it. */
  async function codedBytes(file: string, coding: Coding, plain: () => Promise<Buffer>): Promise<Buffer> {
    const suffix = coding === 'br' ? '.br' : '.gz'
    if (!addressed.has(extension)) {
      const made = await readFile(file + suffix).catch(() => undefined)
      if (made) return made
    }
    return compressors[coding](await plain())
  }
}

const compressors: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
}

function withAddresses(text: string, addresses: Addresses): string {
  return Object.entries(addresses).reduce(
    (written, [placeholder, address]) => written.replaceAll(placeholder, () => address),
    text,
  )
}

/** What stands in a page itself, as a policy names it. Data in script elements does not run. */
function inlineHashes(page: string): InlineHashes {
  return {
    scripts: hashesOf(
      page.matchAll(/<script(?![^>]*\b(?:src=|type="application\/(?:ld\+)?json"))[^>]*>([\s\S]*?)<\/script>/g),
    ),
    styles: hashesOf(page.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)),
  }
}

function hashesOf(elements: Iterable<RegExpMatchArray>): string[] {
  const hashes = Array.from(elements, ([, text]) => createHash('sha256').update(text!).digest('base64'))
  return [...new Set(hashes)]
}
