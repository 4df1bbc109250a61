import type { PlainAnswer, PlainRoute } from '../http/plain-route.ts'
import { publishStaffOpenapi } from '../publish/staff-openapi.ts'
import { staffContract } from './api.ts'

/**
 * The document of the staff API, for programs. It contains only what is in the repository, and needs no session.
 * @param consoleUrl known once all listen
 */
export function documentPage(consoleUrl: () => string): PlainRoute {
  let text: string | undefined
  const answer = async (): Promise<PlainAnswer> => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: (text ??= JSON.stringify(publishStaffOpenapi(staffContract, consoleUrl()))),
    compressible: true,
  })
  const path = '/staff/openapi.json'
  return { method: 'GET', path, name: `page ${path}`, bytesMax: 0, answer }
}
