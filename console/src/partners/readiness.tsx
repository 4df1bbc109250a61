import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
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
            placeOf={(operation) => `/partners/${partnerId}${partnerTabs[operation] ?? ''}`}
          />
          {sites
            .filter((site) => site.findings.length > 0)
            .map((site) => (
              <div key={site.siteId}>
                <h3>
                  <At to={`/sites/${site.siteId}`}>{site.name}</At>
                </h3>
                <Findings findings={site.findings} placeOf={() => `/sites/${site.siteId}?tab=readiness`} />
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

function Findings({ findings, placeOf }: { findings: readonly Finding[]; placeOf: (operation: string) => string }) {
  return (
    <ul className={classes.findings}>
      {findings.map(({ code, gravity, says, operation }) => (
        <li key={`${code} ${says}`}>
          <Status value={gravity} tone={gravity === 'HINT' ? 'info' : undefined} />
          <span>{says}</span>
          <At to={placeOf(operation)}>Mend it</At>
        </li>
      ))}
    </ul>
  )
}
