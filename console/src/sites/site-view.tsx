import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { Active } from '../customers/active.tsx'
import { At } from '../kit/at.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Status } from '../kit/status.tsx'
import { PageTabs } from '../kit/tabs.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { AddressTest } from './address-test.tsx'
import { SiteBrand } from './site-brand.tsx'
import { SiteDelivery } from './site-delivery.tsx'
import { SiteGeneral } from './site-general.tsx'
import { SiteInvoices } from './site-invoices.tsx'
import { SiteMails } from './site-mails.tsx'
import { SiteReadiness } from './site-readiness.tsx'
import { SiteTaxes } from './tax-table.tsx'

export type Site = AnswerOf<'readSite'>

/** A site, and what decides how orders on it go. */
export function SiteView({ site }: { site: Site }) {
  const { siteId, name } = site
  const path = { siteId }
  const readiness = useQuery(read(useEnvironment(), 'readSiteReadiness', { path }))
  return (
    <>
      <PageHead
        title={name}
        above={<At to="/sites">Sites</At>}
        status={
          <>
            <Active is={site.active} />
            {readiness.data && (
              <Status
                value={readiness.data.ready ? 'ready' : 'MISSING'}
                label={readiness.data.ready ? 'Can take orders' : 'Cannot take orders'}
              />
            )}
          </>
        }
        about={
          <>
            Site {siteId} ·{' '}
            <Anchor href={site.url} target="_blank" rel="noreferrer" inherit>
              {site.url}
            </Anchor>
          </>
        }
        actions={
          <Verbs
            first={site.active ? 0 : 1}
            verbs={[
              verb('changeSite', 'Activate', { path, body: { active: true } }, { hidden: site.active }),
              verb(
                'changeSite',
                `Deactivate ${name}`,
                { path, body: { active: false } },
                {
                  danger: true,
                  hidden: !site.active,
                },
              ),
            ]}
          />
        }
      />
      <PageTabs
        label="Parts of the site"
        tabs={[
          { name: 'general', label: 'General', shows: () => <SiteGeneral site={site} /> },
          {
            name: 'delivery',
            label: 'Delivery',
            needs: 'listShippingServices',
            shows: () => <SiteDelivery siteId={siteId} />,
          },
          { name: 'test', label: 'Address test', needs: 'testAddress', shows: () => <AddressTest site={site} /> },
          {
            name: 'taxes',
            label: 'Taxes',
            needs: 'readTaxes',
            shows: () => (
              <PageBody>
                <SiteTaxes siteId={siteId} taxBy={site.taxBy} />
              </PageBody>
            ),
          },
          { name: 'brand', label: 'Brand', needs: 'readSiteBrand', shows: () => <SiteBrand site={site} /> },
          { name: 'mails', label: 'Mails', needs: 'readSiteMails', shows: () => <SiteMails siteId={siteId} /> },
          {
            name: 'invoices',
            label: 'Invoices',
            needs: 'listSiteInvoices',
            shows: () => <SiteInvoices siteId={siteId} />,
          },
          {
            name: 'readiness',
            label: 'Readiness',
            needs: 'readSiteReadiness',
            shows: () => <SiteReadiness siteId={siteId} />,
          },
        ]}
      />
    </>
  )
}
