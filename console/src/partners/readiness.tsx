import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { Mend } from '../sites/site-readiness.tsx'
import classes from './partners.module.css'

type Finding = AnswerOf<'readPartnerReadiness'>['findings'][number]

/** Whether orders of the partner can come in, and where each missing thing is mended. */
export function PartnerReadiness({ partnerId }: { partnerId: string }) {
  const readiness = useQuery(read(useEnvironment(), 'readPartnerReadiness', { path: { partnerId } }))
  return (
    <Loaded query={readiness}>
      {({ ready, findings, sites }) => (
        <>
          <p>
            <Status
              value={ready ? 'ready' : 'MISSING'}
              label={ready ? 'Orders can come in' : 'Orders cannot come in yet'}
            />
          </p>
          <Findings
            findings={findings}
            mend={({ operation, says }) => <At to={placeOf(partnerId, operation, says)}>Mend it</At>}
          />
          {sites
            .filter((site) => site.findings.length > 0)
            .map((site) => (
              <div key={site.siteId}>
                <h3>
                  <At to={`/sites/${site.siteId}`}>{site.name}</At>
                </h3>
                <Findings
                  findings={site.findings}
                  mend={({ operation, says }) => <Mend operation={operation} siteId={site.siteId} says={says} />}
                />
              </div>
            ))}
        </>
      )}
    </Loaded>
  )
}

/** Where each operation that mends something of a partner is done. */
const partnerTabs: Readonly<Record<string, string>> = {
  setGrantedSites: '?tab=grants',
  setCapabilities: '?tab=grants',
  setTier: '?tab=grants',
  issueAppClient: '?tab=credentials',
  registerCertificate: '?tab=credentials',
  registerEndpoint: '?tab=webhooks',
}

function placeOf(partnerId: string, operation: string, says: string): string {
  const site = /\(site (\d+)\)/.exec(says)
  if (operation === 'readSiteReadiness' && site) return `/sites/${site[1]}?tab=readiness`
  return `/partners/${partnerId}${partnerTabs[operation] ?? ''}`
}

function Findings({ findings, mend }: { findings: readonly Finding[]; mend: (finding: Finding) => ReactNode }) {
  return (
    <ul className={classes.findings}>
      {findings.map((finding) => (
        <li key={`${finding.code} ${finding.says}`}>
          <Status value={finding.gravity} tone={finding.gravity === 'HINT' ? 'info' : undefined} />
          <span>{finding.says}</span>
          {mend(finding)}
        </li>
      ))}
    </ul>
  )
}
