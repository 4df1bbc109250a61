/**
 * The applications of this service itself by which people of a partner sign in: public clients that both environments
 * know without a row. No registered id is like these.
 */
export const ownApplications = {
  portal: 'partner-commerce-portal',
  commandLine: 'partner-commerce-cli',
} as const

const ids: ReadonlySet<string> = new Set(Object.values(ownApplications))

export function isOwnApplication(clientId: string | null): boolean {
  return clientId !== null && ids.has(clientId)
}
