import { developerChapters } from '../developer/contract.ts'
import type { PlainAnswer, PlainRoute } from '../http/plain-route.ts'
import { publishDeveloperOpenapi } from '../publish/developer-openapi.ts'
import { publishHtml } from '../publish/html.ts'
import { publishOpenapi, type Hosts } from '../publish/openapi.ts'
import { publishSandboxOpenapi } from '../publish/sandbox-openapi.ts'
import { publishStaffOpenapi } from '../publish/staff-openapi.ts'
import type { JsonObject } from '../publish/schemas.ts'
import { chapters } from '../resources/api.ts'
import { controlChapters } from '../sandbox/control/contract.ts'
import { staffContract } from './api.ts'
import { pageStyle } from './page-style.ts'

/**
 * The documents beside the staff API: the contracts of staff, partners and their developers, and the sandbox's control API, for programs and for
 * readers. They contain only what is in the repository, and need no session.
 * @param hosts known once all listen
 */
export function documentPages(hosts: () => Hosts & { consoleUrl: string }): PlainRoute[] {
  const staff = once(() => publishStaffOpenapi(staffContract, hosts().consoleUrl))
  const partners = once(() => publishOpenapi(chapters, hosts()))
  const sandbox = once(() => publishSandboxOpenapi(controlChapters, hosts().sandboxBaseUrl))
  const developer = once(() => publishDeveloperOpenapi(developerChapters, hosts()))
  return [
    page('/staff/openapi.json', 'application/json', () => JSON.stringify(staff())),
    page('/openapi.json', 'application/json', () => JSON.stringify(partners())),
    page('/sandbox/openapi.json', 'application/json', () => JSON.stringify(sandbox())),
    page('/developer/openapi.json', 'application/json', () => JSON.stringify(developer())),
    page('/staff/docs', 'text/html; charset=utf-8', () => publishHtml(staff(), '/docs/style.css')),
    page('/docs', 'text/html; charset=utf-8', () => publishHtml(partners(), '/docs/style.css')),
    page('/sandbox/docs', 'text/html; charset=utf-8', () => publishHtml(sandbox(), '/docs/style.css')),
    page('/developer/docs', 'text/html; charset=utf-8', () => publishHtml(developer(), '/docs/style.css')),
    page('/docs/style.css', 'text/css; charset=utf-8', () => pageStyle),
  ]
}

function page(path: string, mediaType: string, write: () => string): PlainRoute {
  const text = once(write)
  const answer = async (): Promise<PlainAnswer> => ({
    status: 200,
    headers: { 'content-type': mediaType },
    body: text(),
    compressible: true,
  })
  return { method: 'GET', path, name: `page ${path}`, bytesMax: 0, answer }
}

function once<Made extends JsonObject | string>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
