import type { ReactNode } from 'react'
import { At, Go, goTo, home, pathOf } from '../address.tsx'
import { environmentNames, environments, useEnvironment, type Environment } from '../environment.ts'
import { SessionEnd } from '../session/sign-in.tsx'
import { signOut, useSession } from '../session/session.ts'

const pages: readonly (readonly [page: string, name: string, only?: Environment])[] = [
  ['', 'Overview'],
  ['requests', 'Requests'],
  ['webhooks', 'Webhooks'],
  ['orders', 'Orders that wait'],
  ['credentials', 'Credentials'],
  ['limits', 'Limits'],
  ['world', 'Clock and steps', 'sandbox'],
  ['go-live', 'Go-live', 'sandbox'],
]

/** What stands around every page: which environment, who is signed in, and the way to the other pages. */
export function Frame({ page, children }: { page: string; children: ReactNode }) {
  const environment = useEnvironment()
  return (
    <>
      <div className="band dress" data-environment={environment}>
        <nav className="segments" aria-label="Environment">
          {environments.map((each) => (
            <Go key={each} to={pathOf(each)} aria-current={each === environment ? 'true' : undefined}>
              {environmentNames[each]}
            </Go>
          ))}
        </nav>
        <Who environment={environment} />
      </div>
      <nav className="places" aria-label="Portal">
        <ul>
          {pages
            .filter(([, , only]) => only === undefined || only === environment)
            .map(([path, name]) => (
              <li key={path}>
                <At page={path} aria-current={path === page ? 'page' : undefined}>
                  {name}
                </At>
              </li>
            ))}
        </ul>
      </nav>
      <SessionEnd environment={environment} />
      {children}
    </>
  )
}

function Who({ environment }: { environment: Environment }) {
  const session = useSession(environment)
  if (session.state === 'none') return null
  const { userName, partnerName } = session.state === 'here' ? session.tokens.person : session.person
  const leave = () => {
    const signedOut = signOut(environment)
    goTo(`${home}signed-out?from=${environment}`)
    signedOut.catch(() => goTo(`${home}signed-out?from=${environment}&revoked=no`, 'replace'))
  }
  return (
    <div className="who">
      <span>
        <strong>
          <bdi>{partnerName}</bdi>
        </strong>{' '}
        <bdi className="soft">{userName}</bdi>
      </span>
      <button type="button" className="button small" onClick={leave}>
        Sign out
      </button>
    </div>
  )
}
