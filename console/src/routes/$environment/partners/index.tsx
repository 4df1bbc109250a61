import { Button } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { useMay } from '../../../api/session.ts'
import { useGo } from '../../../kit/at.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { PageTabs, type PageTab } from '../../../kit/tabs.tsx'
import { CertificateList, EndpointList } from '../../../partners/endpoint-list.tsx'
import { PartnerList } from '../../../partners/partner-list.tsx'

export const Route = createFileRoute('/$environment/partners/')({ component: PartnersPage })

const tabs: readonly PageTab[] = [
  { name: 'partners', label: 'Partners', needs: 'listPartners', shows: () => <PartnerList /> },
  { name: 'endpoints', label: 'Endpoints', needs: 'listEndpoints', shows: () => <EndpointList /> },
  { name: 'certificates', label: 'Certificates', needs: 'listAllCertificates', shows: () => <CertificateList /> },
]

function PartnersPage() {
  const may = useMay()
  const go = useGo()
  return (
    <>
      <PageHead
        title="Partners"
        actions={may('createPartner') && <Button onClick={() => go('/onboarding')}>New partner</Button>}
      />
      <PageTabs label="Partners" tabs={tabs} fill />
    </>
  )
}
