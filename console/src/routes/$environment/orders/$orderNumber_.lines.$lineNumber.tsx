import { createFileRoute, redirect } from '@tanstack/react-router'

/** Where the code of a job ticket leads: the line, opened within its order. */
export const Route = createFileRoute('/$environment/orders/$orderNumber_/lines/$lineNumber')({
  beforeLoad: ({ params: { environment, orderNumber, lineNumber } }) => {
    throw redirect({
      to: '/$environment/orders/$orderNumber',
      params: { environment, orderNumber },
      search: (before) => ({ ...before, line: Number(lineNumber) }),
    })
  },
})
