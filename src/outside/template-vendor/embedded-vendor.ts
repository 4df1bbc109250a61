import { createServer, type Server } from 'node:http'
import type { TemplateDocument } from './template-vendor.ts'

/**
 * A template vendor's service for development and demonstrations, over documents that never change. It speaks the
 * protocol that `http-vendor.ts` expects, so a trial with it also holds for a real vendor.
 */
export function createEmbeddedVendor(documents: ReadonlyMap<string, TemplateDocument>): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const id = /^\/documents\/([^/?]+)$/.exec(request.url ?? '')?.[1]
    const document = id === undefined || request.method !== 'GET' ? undefined : documents.get(decoded(id))
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? { error: 'no such document' }))
  })
}

/** A malformed name names no document. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
