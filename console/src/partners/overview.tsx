import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSites } from '../shell/sites.ts'
import { expiry } from './credentials.tsx'
import { GoLive } from './go-live.tsx'
import { Limits } from './limits.tsx'
import { capabilityMeanings, type Partner } from './partner.ts'
import classes from './partners.module.css'
import { PartnerReadiness } from './readiness.tsx'

/** How is the partner doing? Errors, failures, what it uses, and what is missing. */
export function PartnerOverview({ partner }: { partner: Partner }) {
  const { partnerId } = partner
  const may = useMay()
  const sites = useSites()
  const isSandbox = useEnvironment() === 'sandbox'
  const nameOf = (siteId: number) => sites.find((site) => site.siteId === siteId)?.name ?? `Site ${siteId}`
  return (
    <PageBody
      aside={
        <Section title="Facts">
          <Facts
            facts={[
              [
                'Partner id',
                <span key="id" data-varies>
                  {partnerId}
                </span>,
              ],
              ['Signs in by', partner.machineMethod === 'MTLS' ? 'Certificate' : 'Client secret'],
              ...(partner.machineMethod === 'MTLS' && may('listCertificates')
                ? ([['Certificate', <CertificateEnd key="certificate" partnerId={partnerId} />]] as const)
                : []),
              ['Tier', inWords(partner.tier)],
              ['Sites', partner.siteIds.map(nameOf).join(', ') || 'none'],
              [
                'May',
                partner.capabilities.map((capability) => capabilityMeanings[capability]).join(' · ') || 'nothing',
              ],
              ['Second factor', partner.secondFactorRequired ? 'required' : 'as each person wants'],
              ['Since', <When key="since" at={partner.createdOn} short />],
              ...(partner.disabledOn ? ([['Disabled', <When key="disabled" at={partner.disabledOn} />]] as const) : []),
              ...(partner.mergedInto
                ? ([
                    [
                      'Merged into',
                      <At key="into" to={`/partners/${partner.mergedInto}`}>
                        {partner.mergedInto}
                      </At>,
                    ],
                  ] as const)
                : []),
            ]}
          />
        </Section>
      }
    >
      <Section title="The last day">
        <LastDay partnerId={partnerId} />
      </Section>
      {may('readPartnerLimits') && (
        <Section title="Limits">
          <Limits partnerId={partnerId} />
        </Section>
      )}
      <Section title="Readiness">
        <PartnerReadiness partnerId={partnerId} />
      </Section>
      {isSandbox && (
        <Section title="Going live">
          <GoLive partnerId={partnerId} />
        </Section>
      )}
    </PageBody>
  )
}

/** When the certificate that lasts longest ends. */
function CertificateEnd({ partnerId }: { partnerId: string }) {
  const certificates = useQuery(read(useEnvironment(), 'listCertificates', { path: { partnerId } }))
  if (!certificates.data) return null
  const [last] = certificates.data.certificates.toSorted((a, b) => b.expiresOn.localeCompare(a.expiresOn))
  if (!last) return 'none'
  return (
    <>
      <Status {...expiry(last.expiresOn)} /> · to <When at={last.expiresOn} short />
    </>
  )
}

/** Counts stop at this many: more is as bad. */
const enough = 100

/** What went wrong in the last day, each number a link to its list. */
function LastDay({ partnerId }: { partnerId: string }) {
  const environment = useEnvironment()
  const may = useMay()
  const [from] = useState(() => new Date(Date.now() - 86_400_000).toISOString())
  const count = useQuery({
    queryKey: [environment, 'last day of a partner', partnerId],
    queryFn: async () => {
      const requests = (statusClass: '4xx' | '5xx') =>
        may('listRequests')
          ? call('listRequests', environment, { query: { partnerId, statusClass, from, limit: enough } }).then(
              (page) => page.requests.length,
            )
          : undefined
      const submissions = may('listSubmissions')
        ? call('listSubmissions', environment, { query: { partnerId, status: 'failed', from, limit: enough } }).then(
            (page) => page.submissions.length,
          )
        : undefined
      const endpoints = may('listEndpoints')
        ? call('listEndpoints', environment, { query: { partnerId, failing: true, limit: enough } }).then(
            (page) => page.endpoints.length,
          )
        : undefined
      const deliveries = may('listFailedDeliveries')
        ? call('listFailedDeliveries', environment, { query: { partnerId, from, limit: enough } }).then(
            (page) => page.deliveries.length,
          )
        : undefined
      const [refused, failed, rejected, undelivered, failing] = await Promise.all([
        requests('4xx'),
        requests('5xx'),
        submissions,
        deliveries,
        endpoints,
      ])
      return { refused, failed, rejected, undelivered, failing }
    },
    refetchInterval: 30_000,
  })
  const { refused, failed, rejected, undelivered, failing } = count.data ?? {}
  const ofDay = `partnerId=${partnerId}&from=${from}`
  const numbers = [
    ['Refused calls', refused, `/support?tab=requests&${ofDay}&statusClass=4xx`],
    ['Failed calls', failed, `/support?tab=requests&${ofDay}&statusClass=5xx`],
    ['Rejected orders', rejected, `/support?tab=submissions&${ofDay}&status=failed`],
    ['Failed webhooks', undelivered, `/support?tab=deliveries&${ofDay}`],
    ['Failing endpoints', failing, `/partners/${partnerId}?tab=webhooks`],
  ] as const
  return (
    <dl className={classes.numbers}>
      {numbers.map(([name, number, to]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-bad={number ? true : undefined}>
            {number === undefined ? '–' : <At to={to}>{number >= enough ? `${enough}+` : number}</At>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
