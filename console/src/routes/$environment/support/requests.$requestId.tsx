import { createFileRoute } from '@tanstack/react-router'
import { At } from '../../../kit/at.tsx'
import { PageBody } from '../../../kit/page-body.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { RequestDetail } from '../../../support/request-detail.tsx'

export const Route = createFileRoute('/$environment/support/requests/$requestId')({ component: RequestPage })

function RequestPage() {
  const { requestId } = Route.useParams()
  return (
    <>
      <PageHead
        title="Request"
        about={<span data-varies>{requestId}</span>}
        above={<At to="/support?tab=requests">Support</At>}
      />
      <PageBody>
        <RequestDetail requestId={requestId} />
      </PageBody>
    </>
  )
}
