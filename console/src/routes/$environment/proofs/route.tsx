import { createFileRoute, Outlet } from '@tanstack/react-router'
import classes from '../../../proofs/desk.module.css'
import { ProofQueue, useOnDesk } from '../../../proofs/queue.tsx'

export const Route = createFileRoute('/$environment/proofs')({ component: ProofsPage })

/** The queue stays where it is while people walk through it. */
function ProofsPage() {
  const onDesk = useOnDesk()
  return (
    <div className={classes.page} data-open={onDesk ? true : undefined}>
      <ProofQueue />
      <div className={classes.main}>
        <Outlet />
      </div>
    </div>
  )
}
