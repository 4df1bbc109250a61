import { useEffect, useRef, useState } from 'react'
import { Go, goTo, home, pathOf, useFilters } from '../address.tsx'
import { baseUrlOf, environmentNames, environments, isEnvironment, type Environment } from '../environment.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Loading, Refused } from '../kit/loaded.tsx'
import { arrive, leaveToSignIn, signInBeside, signOut, useSession } from './session.ts'
import { SignInOver } from './tokens.ts'

const says: Readonly<Record<Environment, string>> = {
  production:
    'What your programs do for real: their requests, webhooks, credentials and limits, and the proofs that wait for you.',
  sandbox:
    'The same for tests. Here you create the clients by which your programs authenticate, and have a clock of your own, steps at a press, and the checklist for going live.',
}

/** Where one chooses the environment. */
export function Start() {
  useEffect(() => {
    document.title = 'Portal · Partner Commerce'
  }, [])
  return (
    <>
      <h1 tabIndex={-1}>Portal</h1>
      <p className="lead">See what your integration does, and decide what waits for you.</p>
      <ul className="cards">
        {environments.map((environment) => (
          <li key={environment} className="card dress" data-environment={environment}>
            <EnvironmentCard environment={environment} />
          </li>
        ))}
      </ul>
    </>
  )
}

function EnvironmentCard({ environment }: { environment: Environment }) {
  const session = useSession(environment)
  return (
    <>
      <h2>
        <Go to={pathOf(environment)}>{environmentNames[environment]}</Go>
      </h2>
      <p>{says[environment]}</p>
      {session.state === 'here' && (
        <p className="soft">
          Signed in as <bdi>{session.tokens.person.userName}</bdi>
        </p>
      )}
    </>
  )
}

export function SignIn({ environment }: { environment: Environment }) {
  const [error, setError] = useState<Error | null>(null)
  const [isLeaving, setIsLeaving] = useState(false)
  const name = environmentNames[environment]
  const other = environment === 'production' ? 'sandbox' : 'production'
  useEffect(() => {
    document.title = `Sign in · ${name} · Partner Commerce`
  }, [name])
  const leave = () => {
    setIsLeaving(true)
    leaveToSignIn(environment, location.pathname + location.search).catch((failure: Error) => {
      setIsLeaving(false)
      setError(window.isSecureContext ? failure : new Error('The portal needs https. Open it by its https address.'))
    })
  }
  return (
    <div className="welcome card dress" data-environment={environment}>
      <h1 tabIndex={-1}>{environment === 'production' ? 'Sign in' : 'Sign in to the sandbox'}</h1>
      <p>{says[environment]}</p>
      <Refused error={error} />
      <div className="row">
        <button type="button" className="button first" onClick={leave} aria-disabled={isLeaving}>
          {isLeaving
            ? 'One moment…'
            : `Sign in to ${environment === 'production' ? name.toLowerCase() : 'the sandbox'}`}
        </button>
        <Go to={pathOf(other)}>{other === 'production' ? 'To production instead' : 'To the sandbox instead'}</Go>
      </div>
      <p className="soft">
        You sign in at <code>{new URL(baseUrlOf(environment)).host}</code>. Production and sandbox each have their own
        sign-in; the account comes with an invitation from your contact.
      </p>
    </div>
  )
}

/** The page to which a sign-in leads back. */
export function Arriving() {
  const [told, setTold] = useState<{ error?: Error; isBeside?: true }>({})
  const hasBegun = useRef(false)
  useEffect(() => {
    document.title = 'Signing in · Partner Commerce'
    // A code is good once.
    if (hasBegun.current) return
    hasBegun.current = true
    const answer = new URLSearchParams(location.search)
    // What is redeemed has no business in the history of the browser.
    history.replaceState(null, '', location.pathname)
    const end = async () => {
      const returnTo = await arrive(answer)
      if (returnTo !== undefined) return goTo(returnTo.startsWith(home) ? returnTo : home, 'replace')
      setTold({ isBeside: true })
      window.close()
    }
    end().catch((error: Error) => setTold({ error: error instanceof SignInOver ? new Error(tooOld) : error }))
  }, [])
  if (told.isBeside) {
    return (
      <div className="welcome card">
        <h1 tabIndex={-1}>You are signed in</h1>
        <p>Go back to the page that you came from; this window can be closed.</p>
      </div>
    )
  }
  if (told.error) {
    return (
      <div className="welcome card">
        <h1 tabIndex={-1}>You are not signed in</h1>
        <Refused error={told.error} />
        <Go className="button first" to={home}>
          Begin again
        </Go>
      </div>
    )
  }
  return (
    <>
      <h1 tabIndex={-1}>One moment…</h1>
      <Loading />
    </>
  )
}

const tooOld = 'The sign-in took too long, or this page was loaded twice.'

/** A session that ended in the middle of something is begun again beside the page, so that nothing on it is lost. */
export function SessionEnd({ environment }: { environment: Environment }) {
  const session = useSession(environment)
  const [error, setError] = useState<Error | null>(null)
  if (session.state !== 'ended') return null
  const discard = () => {
    // There is no token left that could be revoked.
    void signOut(environment)
    goTo(`${home}signed-out?from=${environment}&revoked=before`)
  }
  return (
    <Dialog title="Your sign-in has ended">
      <p>
        Nothing on the page is lost. Sign in again as <bdi>{session.person.userName}</bdi>, and what you asked for last
        is done.
      </p>
      <Refused error={error} />
      <div className="row">
        <button
          type="button"
          className="button first"
          onClick={() => {
            setError(null)
            signInBeside(environment).catch(setError)
          }}
        >
          Sign in again
        </button>
        <button type="button" className="button" onClick={discard}>
          Discard and sign out
        </button>
      </div>
    </Dialog>
  )
}

export function SignedOut() {
  const [{ from, revoked }] = useFilters()
  const environment = isEnvironment(from) ? from : 'production'
  useEffect(() => {
    document.title = 'Signed out · Partner Commerce'
  }, [])
  return (
    <div className="welcome card">
      <h1 tabIndex={-1}>You are signed out</h1>
      {revoked === 'no' ? (
        <p>
          This browser has forgotten the sign-in, but the service could not be reached to revoke it. It ends by itself
          within twelve hours.
        </p>
      ) : (
        <p>{revoked === 'before' ? 'The sign-in had ended before.' : 'The sign-in was revoked.'}</p>
      )}
      <p>
        The sign-in page itself may still know this browser. On a computer that others use,{' '}
        <a href={`${baseUrlOf(environment)}/oauth2/logout`}>sign out there too</a>.
      </p>
      <Go className="button" to={home}>
        To the portal
      </Go>
    </div>
  )
}

export function NoSuchPage() {
  useEffect(() => {
    document.title = 'No such page · Partner Commerce'
  }, [])
  return (
    <>
      <h1 tabIndex={-1}>There is no such page</h1>
      <p>
        <Go to={home}>To the portal</Go>
      </p>
    </>
  )
}
