import type { PlainRoute } from '../http/plain-route.ts'

/**
 * The catalog of the APIs of a host (RFC 9727), a set of links (RFC 9264): to the document of each API for programs, to
 * the developer site for people, and to where a caller sees that the host answers.
 * @param parts addresses as partners reach them, known once all listen; `hasControl`: the host has the sandbox's control API
 */
export function apiCatalog(parts: {
  hostUrl: () => string
  developerUrl: () => string
  hasControl: boolean
}): PlainRoute {
  return {
    method: 'GET',
    path,
    name: 'api catalog',
    bytesMax: 0,
    answer: async () => ({
      status: 200,
      headers: { 'content-type': mediaType, 'cache-control': 'max-age=300' },
      body: JSON.stringify(catalog(parts.hostUrl(), parts.developerUrl(), parts.hasControl)),
      compressible: true,
    }),
  }
}

const path = '/.well-known/api-catalog'
const mediaType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

function catalog(hostUrl: string, developerUrl: string, hasControl: boolean): object {
  const apis = [
    { at: `${hostUrl}/v1`, document: `${developerUrl}/openapi.json` },
    { at: `${hostUrl}/developer`, document: `${developerUrl}/developer/openapi.json` },
    ...(hasControl ? [{ at: `${hostUrl}/sandbox`, document: `${developerUrl}/sandbox/openapi.json` }] : []),
  ]
  return {
    linkset: [
      { anchor: hostUrl + path, item: apis.map(({ at }) => ({ href: at })) },
      ...apis.map(({ at, document }) => ({
        anchor: at,
        'service-desc': [{ href: document, type: 'application/json' }],
        'service-doc': [{ href: `${developerUrl}/`, type: 'text/html' }],
        status: [{ href: `${hostUrl}/v1/ping`, type: 'application/json' }],
      })),
    ],
  }
}
