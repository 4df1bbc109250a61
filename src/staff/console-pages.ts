import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import Negotiator from 'negotiator'
import type { PlainAnswer, PlainRequest, PlainRoute } from '../http/plain-route.ts'
import { consolePolicy } from './security-headers.ts'

/** What the build of the console wrote: its page, and the files that the page loads, also compressed. */
const built = new URL('../../console/dist/', import.meta.url)

/** Where the console's own routes are; the page finds its way from there. */
const pagePaths = ['/', '/sign-in', '/account', '/production', '/production/*', '/sandbox', '/sandbox/*']

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** @param storageUrl known once all listen */
export function consolePages(storageUrl: () => string): PlainRoute[] {
  return [
    ...pagePaths.map((path) => page(path, 'index.html', storageUrl)),
    page('/gallery', 'gallery/index.html', storageUrl),
    asset(),
  ]
}

function page(path: string, file: string, storageUrl: () => string): PlainRoute {
  const url = new URL(file, built)
  const parts = existsSync(url) ? readFileSync(url, 'utf8').split('NONCE-OF-THIS-ANSWER') : undefined
  return {
    method: 'GET',
    path,
    name: `console ${path}`,
    bytesMax: 0,
    answer: async () => {
      if (!parts) return notBuilt
      const nonce = randomBytes(16).toString('base64')
      const policy = consolePolicy(new URL(storageUrl()).origin, nonce)
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
        body: parts.join(nonce),
      }
    },
  }
}

const notBuilt: PlainAnswer = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'The console is not built. Build it with: npm run build\n',
}

/** The files have their hash in their names, so they are kept for good. Only what was there at the start is served. */
function asset(): PlainRoute {
  const folder = new URL('assets/', built)
  const names = new Set(existsSync(folder) ? readdirSync(folder) : [])
  return {
    method: 'GET',
    path: '/assets/{file}',
    name: 'console /assets',
    bytesMax: 0,
    answer: async ({ path, headers }) => {
      const name = path.slice('/assets/'.length)
      const mediaType = mediaTypes[extname(name)]
      if (!names.has(name) || mediaType === undefined) return noSuchFile
      const coding = codingOf(headers, names, name)
      // A newer build may have taken its place.
      const body = await readFile(new URL(coding ? name + coding.extension : name, folder)).catch(() => undefined)
      if (body === undefined) return noSuchFile
      return {
        status: 200,
        headers: {
          'content-type': mediaType,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          ...(coding && { 'content-encoding': coding.name }),
        },
        body,
        immutable: true,
      }
    },
  }
}

const noSuchFile: PlainAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'There is no such file.\n',
}

const codings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
]

function codingOf(headers: PlainRequest['headers'], names: ReadonlySet<string>, file: string) {
  const there = codings.filter(({ extension }) => names.has(file + extension))
  const accepted = new Negotiator({ headers }).encodings(there.map(({ name }) => name))
  return there.find(({ name }) => accepted.includes(name))
}
