import { revisionOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { UserField } from '../customers/user-field.tsx'
import { changesOf } from '../customers/texts.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { Form, useForm } from '../kit/form.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { siteBody, SiteFields } from './new-site.tsx'
import type { Site } from './site-view.tsx'

export function SiteGeneral({ site }: { site: Site }) {
  const may = useMay()
  return (
    <PageBody
      aside={
        <>
          <Ordering site={site} />
          <Section title="Dates">
            <Facts
              facts={[
                ['Created', <When key="created" at={site.createdOn} />],
                ['Changed', <When key="changed" at={site.updatedOn} />],
              ]}
            />
          </Section>
        </>
      }
    >
      <Section title="What it is">{may('changeSite') ? <SiteForm site={site} /> : <SiteFacts site={site} />}</Section>
    </PageBody>
  )
}

function SiteForm({ site }: { site: Site }) {
  const form = useForm('changeSite', {
    initial: {
      name: site.name,
      url: site.url,
      currency: site.currency,
      countryCode: site.countryCode,
      timeZone: site.timeZone,
      supplierCode: site.supplierCode,
      taxBy: site.taxBy as string,
      storesDivisionAddresses: site.storesDivisionAddresses,
    },
    revision: revisionOf(site),
    input: (values) => ({ path: { siteId: site.siteId }, body: changesOf(site, siteBody(values)) }),
  })
  return (
    <Form form={form} submit="Save the site">
      <SiteFields form={form} />
    </Form>
  )
}

function SiteFacts({ site }: { site: Site }) {
  return (
    <Facts
      facts={[
        ['Address', site.url],
        ['Supplier code', site.supplierCode],
        ['Country', site.countryCode],
        ['Currency', site.currency],
        ['Time zone', site.timeZone],
        ['Taxes come from', site.taxBy === 'TABLES' ? 'The tax tables of the site' : 'The tax service of the works'],
        ['Divisions have addresses', site.storesDivisionAddresses ? 'Yes' : 'No'],
      ]}
    />
  )
}

/** The user for whom partners order. Without one, their orders are refused. */
function Ordering({ site }: { site: Site }) {
  const may = useMay()
  const path = { siteId: site.siteId }
  const form = useForm('setOrderingUser', {
    initial: { userId: site.orderingUserId === null ? '' : String(site.orderingUserId) },
    revision: revisionOf(site),
    input: ({ userId }) => ({ path, body: { userId: userId ? Number(userId) : null } }),
  })
  form.shown.add('userId')
  const { orderingUser } = site
  return (
    <Section
      title="Ordering user"
      actions={
        orderingUser && (
          <Verbs
            first={0}
            label="More for the ordering user"
            verbs={[
              verb('setOrderingUser', 'End ordering by partners', { path, body: { userId: null } }, { danger: true }),
            ]}
          />
        )
      }
    >
      {orderingUser === null ? (
        <p>
          <Status value="MISSING" label="Partners cannot order here until a user is named for whom they order." />
        </p>
      ) : (
        <p>
          Partners order for{' '}
          <At to={`/customers/${orderingUser.userId}`}>{orderingUser.username ?? `user ${orderingUser.userId}`}</At>.
        </p>
      )}
      {may('setOrderingUser') && (
        <Form form={form} submit="Name this user">
          <UserField
            siteId={site.siteId}
            label="Another user"
            value={form.values.userId}
            onChange={(userId) => form.set('userId', userId)}
            error={form.faultAt('userId')}
          />
        </Form>
      )}
    </Section>
  )
}
