import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { home, usePlace, type Place } from './address.tsx'
import { Refusal, Unreachable } from './api/problems.ts'
import { Credentials } from './credentials/credentials.tsx'
import { InEnvironment, keepHosts, type Environment, type Hosts } from './environment.ts'
import { Frame } from './frame/frame.tsx'
import { GoLive } from './go-live/go-live.tsx'
import { Boundary } from './kit/boundary.tsx'
import { Held } from './kit/held.tsx'
import { Limits } from './limits/limits.tsx'
import { Orders } from './orders/orders.tsx'
import { Overview } from './overview/overview.tsx'
import './portal.css'
import { Requests } from './requests/requests.tsx'
import { Sandbox } from './sandbox/sandbox.tsx'
import { useSession, whenPersonChanges } from './session/session.ts'
import { Arriving, NoSuchPage, SignedOut, SignIn, Start } from './session/sign-in.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'

const cache = new QueryClient({
  defaultOptions: {
    queries: {
      // What the service refuses, it would refuse again; an outage of a moment is not shown.
      retry: (failures, error) =>
        failures < 1 &&
        navigator.onLine &&
        (error instanceof Unreachable || (error instanceof Refusal && error.status >= 500)),
      staleTime: 5_000,
      // Who is offline is told so at once.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // A change that waited for the network would be made after the person has gone on.
    mutations: { networkMode: 'always' },
  },
})
whenPersonChanges((environment) => cache.removeQueries({ queryKey: [environment] }))

/**
 * The portal: what a partner's people see of their own integration, and what they decide. It finds its page from the
 * address, and the hosts from the page that shows it.
 */
export default function Portal(hosts: Hosts) {
  // By a hook, since React may call a component without its properties to tell where an error was.
  useState(() => keepHosts(hosts))
  const place = usePlace()
  const root = useRef<HTMLDivElement>(null)
  useFocusOnPage(root, place)
  return (
    <QueryClientProvider client={cache}>
      <div className="portal not-content" ref={root}>
        <Shown place={place} />
        <div id="portal-news" className="unseen" role="status" aria-live="polite" />
      </div>
    </QueryClientProvider>
  )
}

function Shown({ place: { environment, page } }: { place: Place }) {
  if (environment === undefined) {
    if (page === '') return <Start />
    if (page === 'signed-in') return <Arriving />
    return page === 'signed-out' ? <SignedOut /> : <NoSuchPage />
  }
  return (
    <InEnvironment value={environment}>
      <SignedIn environment={environment}>
        <Frame page={page}>
          <Held environment={environment} />
          <Boundary key={`${environment} ${page}`} environment={environment}>
            <PageOf environment={environment} page={page} />
          </Boundary>
        </Frame>
      </SignedIn>
    </InEnvironment>
  )
}

function SignedIn({ environment, children }: { environment: Environment; children: ReactNode }) {
  const { state } = useSession(environment)
  return state === 'none' ? <SignIn environment={environment} /> : children
}

function PageOf({ environment, page }: { environment: Environment; page: string }) {
  const isSandbox = environment === 'sandbox'
  switch (page) {
    case '':
      return <Overview />
    case 'requests':
      return <Requests />
    case 'webhooks':
      return <Webhooks />
    case 'credentials':
      return <Credentials />
    case 'limits':
      return <Limits />
    case 'orders':
      return <Orders />
    case 'world':
      return isSandbox ? <Sandbox /> : <NoSuchPage />
    case 'go-live':
      return isSandbox ? <GoLive /> : <NoSuchPage />
    default:
      return <NoSuchPage />
  }
}

/** Who goes to another page by the keyboard begins at its heading. */
function useFocusOnPage(root: RefObject<HTMLDivElement | null>, { environment, page }: Place): void {
  const before = useRef<string>(undefined)
  useEffect(() => {
    const now = `${home}${environment ?? ''}/${page}`
    const isOther = before.current !== undefined && before.current !== now
    before.current = now
    if (!isOther) return
    window.scrollTo(0, 0)
    root.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [root, environment, page])
}
