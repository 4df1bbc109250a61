import { createFileRoute } from '@tanstack/react-router'
import { NotThere } from '../../../kit/not-there.tsx'
import { ProofDesk } from '../../../proofs/desk.tsx'

export const Route = createFileRoute('/$environment/proofs/$orderNumber/$lineNumber')({ component: OneProof })

function OneProof() {
  const { orderNumber, lineNumber } = Route.useParams()
  const at = { orderNumber: Number(orderNumber), lineNumber: Number(lineNumber) }
  if (!Number.isSafeInteger(at.orderNumber) || !Number.isSafeInteger(at.lineNumber)) return <NotThere />
  return <ProofDesk at={at} />
}
