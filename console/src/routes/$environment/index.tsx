import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/$environment/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/today', params })
  },
})
