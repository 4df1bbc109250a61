import type { AdapterPayload } from 'oidc-provider'
import { ownApplications } from '../../vocabulary/own-applications.ts'

/**
 * The service's own applications as the library wants its clients: public ones, each with a single redirect address. For
 * the command line the library leaves the port open (RFC 8252 §7.3), and nothing else.
 * @param developerUrl the developer site, as people reach it
 */
export function ownApplicationAt(clientId: string, developerUrl: string): AdapterPayload | undefined {
  if (clientId === ownApplications.portal) {
    return {
      client_id: clientId,
      client_name: 'Developer portal',
      redirect_uris: [`${developerUrl}/portal/signed-in`],
      application_type: 'web',
    }
  }
  if (clientId === ownApplications.commandLine) {
    return {
      client_id: clientId,
      client_name: 'Partner Commerce command line',
      redirect_uris: ['http://127.0.0.1/signed-in'],
      application_type: 'native',
    }
  }
  return undefined
}
