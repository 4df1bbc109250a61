import { Button } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../../kit/at.tsx'
import { Empty } from '../../../kit/empty.tsx'
import { useKeys } from '../../../kit/keys.ts'
import { PageHead } from '../../../kit/page-head.tsx'
import { useNeighbours, usePlaceOfLine } from '../../../proofs/queue.tsx'
import { useReadAhead } from '../../../proofs/reads.ts'

export const Route = createFileRoute('/$environment/proofs/')({ component: NothingOnDesk })

function NothingOnDesk() {
  const { next, ahead } = useNeighbours(undefined)
  useReadAhead(ahead)
  const go = useGo()
  const place = usePlaceOfLine()
  const begin = () => next && go(place(next))
  useKeys({ j: () => begin(), Enter: () => begin() })
  return (
    <>
      <PageHead title="Proofs" />
      {next && (
        <Empty title="Choose a line of the queue" action={<Button onClick={begin}>Open the first</Button>}>
          Enter opens the first one. On the desk, ? tells the keys.
        </Empty>
      )}
    </>
  )
}
