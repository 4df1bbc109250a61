import { Title } from '@mantine/core'
import { createFileRoute, redirect, useNavigate, useRouter } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { SignInForm } from '../shell/sign-in-form.tsx'
import classes from '../shell/sign-in.module.css'

export const Route = createFileRoute('/sign-in')({
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' ? { next } : {}),
  beforeLoad: async ({ context, search }) => {
    if (await context.queryClient.ensureQueryData(sessionQuery)) throw redirect({ href: pathOf(search.next) })
  },
  component: SignInPage,
})

function SignInPage() {
  const { next } = Route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <Title order={1} mb="md">
          Sign in
        </Title>
        <SignInForm
          onSignedIn={async () => {
            await router.invalidate()
            await navigate({ href: pathOf(next) })
          }}
        />
      </div>
    </main>
  )
}

/**
 * Where to go after signing in: a page of this console, since anything else would lead people away. The router also
 * hands on what it was told is not valid, so it is looked at here, where it is used.
 */
function pathOf(next: string | undefined): string {
  return next !== undefined && /^\/(production|sandbox)(\/|$)/.test(next) ? next : '/'
}
