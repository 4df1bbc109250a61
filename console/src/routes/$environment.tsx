import { createFileRoute, notFound, redirect, retainSearchParams } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { isEnvironment } from '../shell/environment.ts'
import { Shell } from '../shell/shell.tsx'

/** `site` filters all pages that know sites, and stays when people go from page to page. */
export const Route = createFileRoute('/$environment')({
  validateSearch: ({ site }): { site?: number } =>
    Number.isInteger(Number(site)) && Number(site) > 0 ? { site: Number(site) } : {},
  search: { middlewares: [retainSearchParams(['site'])] },
  beforeLoad: async ({ params, context, location }) => {
    if (!isEnvironment(params.environment)) throw notFound()
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  component: Shell,
})
