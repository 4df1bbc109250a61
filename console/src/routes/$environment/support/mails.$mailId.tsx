import { createFileRoute } from '@tanstack/react-router'
import { At } from '../../../kit/at.tsx'
import { PageBody } from '../../../kit/page-body.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { MailDetail } from '../../../support/mail-list.tsx'

export const Route = createFileRoute('/$environment/support/mails/$mailId')({ component: MailPage })

function MailPage() {
  const { mailId } = Route.useParams()
  return (
    <>
      <PageHead
        title="Mail"
        about={<span data-varies>{mailId}</span>}
        above={<At to="/support?tab=mails">Support</At>}
      />
      <PageBody>
        <MailDetail mailId={mailId} />
      </PageBody>
    </>
  )
}
