import { createFileRoute } from '@tanstack/react-router'
import { At } from '../../../kit/at.tsx'
import { PageBody } from '../../../kit/page-body.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { SubmissionDetail } from '../../../support/submission-detail.tsx'

export const Route = createFileRoute('/$environment/support/submissions/$submissionId')({ component: SubmissionPage })

function SubmissionPage() {
  const { submissionId } = Route.useParams()
  return (
    <>
      <PageHead
        title="Submission"
        about={<span data-varies>{submissionId}</span>}
        above={<At to="/support?tab=submissions">Support</At>}
      />
      <PageBody>
        <SubmissionDetail submissionId={submissionId} />
      </PageBody>
    </>
  )
}
