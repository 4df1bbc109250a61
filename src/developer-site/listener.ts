import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import type { Logger } from 'pino'
import { entityTag, isKnown } from '../http/answering/entity-tags.ts'
import { problemDocument, problemMediaType } from '../http/answering/problem.ts'
import { send, sendEmpty } from '../http/answering/send.ts'
import { createFront, type Front } from '../http/front.ts'
import { pathOfRequest } from '../http/reading/request-line.ts'
import { openBuiltSite, type Addresses, type SiteFile } from './built-site.ts'
import { closedPolicy, pagePolicy, scriptPolicy, siteHeaders } from './policy.ts'

/** The addresses that the site's pages name. */
export type SiteHosts = {
  baseUrl: string
  mtlsBaseUrl: string
  sandboxBaseUrl: string
  storageUrl: string
  developerUrl: string
}

/**
 * The developer site: what the build of `developers/` wrote, for everyone, without any credential.
 * @returns the caller lets it listen, and closes it
 */
export function openDeveloperSite(parts: {
  /** as partners reach them; known once all listen */
  hosts: () => SiteHosts
  closingGraceMilliseconds: number
  log: Pick<Logger, 'error'>
  /** in place of what is in `developers/dist` */
  folder?: string
}): Front {
  const { hosts } = parts
  const site = openBuiltSite(() => addressesOf(hosts()), parts.folder)
  return createFront({
    ownUrl: () => hosts().developerUrl,
    closingGraceMilliseconds: parts.closingGraceMilliseconds,
    log: parts.log,
    doors: [{ method: 'GET', path: '/*', answer }],
    answerMissed: async (request, response) => {
      if (fileAt(pathOfRequest(request)) === undefined) return answerMissing(request, response)
      answerProblem(response, 'method_not_allowed', { allow: 'GET, HEAD' })
    },
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOfRequest(request)
    const found = fileAt(path)
    if (found === undefined) return answerMissing(request, response)
    if (found.movedTo !== undefined) {
      const location = found.movedTo + new URL(request.url!, hosts().developerUrl).search
      return sendEmpty(response, 308, { ...commonHeaders(), location, 'content-length': '0' })
    }
    const file = await site.file(found.file)
    if (file === undefined) return answerMissing(request, response)
    await answerFile(request, response, 200, file)
  }

  /** A page is the `index.html` of its folder. The portal's program finds its own way from its one page. */
  function fileAt(path: string): { file: string; movedTo?: string } | undefined {
    if (path.startsWith('/portal/')) return known('/portal/index.html')
    if (path.endsWith('/')) return known(`${path}index.html`)
    return known(path) ?? (site.has(`${path}/index.html`) ? { file: '', movedTo: `${path}/` } : undefined)
  }

  function known(file: string): { file: string } | undefined {
    return site.has(file) ? { file } : undefined
  }

  async function answerFile(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    file: SiteFile,
  ): Promise<void> {
    const coding = codingFor(request, file)
    const { storageUrl, baseUrl, sandboxBaseUrl } = hosts()
    const origin = (url: string): string => new URL(url).origin
    const headers = {
      ...commonHeaders(),
      'content-security-policy': file.inline
        ? pagePolicy(file.inline, {
            called: [origin(baseUrl), origin(sandboxBaseUrl)],
            pictures: origin(storageUrl),
          })
        : file.mediaType.startsWith('text/javascript')
          ? scriptPolicy
          : closedPolicy,
      'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(file.codings.length > 0 && { vary: 'Accept-Encoding' }),
      ...(status === 200 && { etag: entityTag(file.revision, coding) }),
    }
    const ifNoneMatch = request.headers['if-none-match']
    if (status === 200 && ifNoneMatch !== undefined && isKnown(ifNoneMatch, file.revision)) {
      return sendEmpty(response, 304, headers)
    }
    const bytes = await file.bytes(coding)
    send(response, status, file.mediaType, bytes, headers, coding ? { 'content-encoding': coding } : {})
  }

  /** People get a page, programs a problem document. */
  async function answerMissing(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = request.headers.accept?.includes('text/html') ? await site.file('/404.html') : undefined
    if (page) return answerFile(request, response, 404, page)
    answerProblem(response, 'route_not_found')
  }

  function answerProblem(
    response: ServerResponse,
    code: 'route_not_found' | 'method_not_allowed',
    more?: Readonly<Record<string, string>>,
  ): void {
    const headers = commonHeaders()
    const problem = problemDocument(code, headers['request-id'])
    const document = JSON.stringify(problem)
    send(response, problem.status, problemMediaType, document, { ...headers, 'cache-control': 'no-store' }, more)
  }
}

function commonHeaders() {
  return { ...siteHeaders, 'request-id': randomUUID() }
}

function codingFor(request: IncomingMessage, { codings }: SiteFile) {
  if (request.headers['accept-encoding'] === undefined || codings.length === 0) return undefined
  const liked = new Negotiator(request).encoding([...codings, 'identity'])
  return codings.find((coding) => coding === liked)
}

/** The build knows no address of this service, and writes these in their place. */
function addressesOf(hosts: SiteHosts): Addresses {
  return {
    'https://api.partner-commerce.example': hosts.baseUrl,
    'https://mtls.partner-commerce.example': hosts.mtlsBaseUrl,
    'https://sandbox.partner-commerce.example': hosts.sandboxBaseUrl,
    'https://developers.partner-commerce.example': hosts.developerUrl,
  }
}
