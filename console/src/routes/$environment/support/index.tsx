import { createFileRoute } from '@tanstack/react-router'
import { PageHead } from '../../../kit/page-head.tsx'
import { PageTabs, type PageTab } from '../../../kit/tabs.tsx'
import { DeliveryList } from '../../../support/delivery-list.tsx'
import { Lookup } from '../../../support/lookup.tsx'
import { BouncedList, MailList } from '../../../support/mail-list.tsx'
import { RequestList } from '../../../support/request-list.tsx'
import { SubmissionList } from '../../../support/submission-list.tsx'

export const Route = createFileRoute('/$environment/support/')({ component: SupportPage })

const tabs: readonly PageTab[] = [
  { name: 'requests', label: 'Requests', needs: 'listRequests', shows: () => <RequestList /> },
  { name: 'submissions', label: 'Submissions', needs: 'listSubmissions', shows: () => <SubmissionList /> },
  { name: 'deliveries', label: 'Failed webhooks', needs: 'listFailedDeliveries', shows: () => <DeliveryList /> },
  { name: 'mails', label: 'Mail', needs: 'listMails', shows: () => <MailList /> },
  { name: 'bounced', label: 'Bounced', needs: 'listBouncedAddresses', shows: () => <BouncedList /> },
]

/** Somebody asks: where is it, and why did it fail? */
function SupportPage() {
  return (
    <>
      <PageHead title="Support" about={<Lookup />} />
      <PageTabs label="Support" tabs={tabs} fill />
    </>
  )
}
