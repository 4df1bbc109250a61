import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { print } from '../kit/print.ts'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Line } from './stations.ts'

/** Prints the papers of lines. */
export function PrintPapers({ lines }: { lines: readonly Line[] }) {
  const environment = useEnvironment()
  const may = useMay()
  const papers = useMutation({
    mutationFn: async (paper: 'drawJobTickets' | 'drawPickList') => {
      const named = lines.map(({ orderNumber, lineNumber }) => ({ orderNumber, lineNumber }))
      await print(await call(paper, environment, { body: { lines: named } }))
    },
  })
  if (!may('drawJobTickets')) return null
  return (
    <>
      <Button variant="default" loading={papers.isPending} onClick={() => papers.mutate('drawJobTickets')}>
        {lines.length === 1 ? 'Print job ticket' : 'Print job tickets'}
      </Button>
      <Button variant="default" loading={papers.isPending} onClick={() => papers.mutate('drawPickList')}>
        Print pick list
      </Button>
      <Refused error={papers.error} />
    </>
  )
}
