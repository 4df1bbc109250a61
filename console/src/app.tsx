import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { isRefusal, Unreachable } from './api/problems.ts'
import { Failed } from './kit/failed.tsx'
import { NotThere } from './kit/not-there.tsx'
import { Waiting } from './kit/waiting.tsx'
import { routeTree } from './route-tree.gen.ts'
import { theme } from './theme.ts'

/** Reads are repeated when the service was not reached, or has an outage; what it refused stays refused. */
function isWorthTrying(count: number, error: Error): boolean {
  return count < 2 && (error instanceof Unreachable || isRefusal(error, 'service_unavailable'))
}

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: isWorthTrying,
      throwOnError: false,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // What cannot be sent now is refused now, and not sent later when nobody expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
})

const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ({ error }) => <Failed error={error as Error} retry={() => void router.invalidate()} />,
  defaultNotFoundComponent: NotThere,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Styles made while the page runs carry the nonce of the page; browsers show it to scripts only as a property. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
// What keeps the page still behind a dialog asks for it by this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={6_000} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
