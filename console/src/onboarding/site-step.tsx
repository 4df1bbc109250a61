import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useGo } from '../kit/at.tsx'
import { Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { asking, Verbs } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSites } from '../shell/sites.ts'
import { CopySite } from '../sites/copy-site.tsx'
import { SiteFields, siteBody } from '../sites/new-site.tsx'
import { SiteGeneral } from '../sites/site-general.tsx'
import { placeOfStep, type Begun } from './steps.ts'

/** The storefront whose orders come in: one that is there, a new one, or a copy. */
export function SiteStep({ begun }: { begun: Begun }) {
  const sites = useSites()
  const may = useMay()
  const go = useGo()
  const choose = (siteId: number) => go(placeOfStep('site', { ...begun, siteId }))
  return (
    <>
      <Section
        title="Site"
        actions={
          <Verbs verbs={[asking('copySite', 'Copy a site…', (close) => <CopySite close={close} />, { quiet: true })]} />
        }
      >
        <Group align="flex-end">
          <Select
            label="A site that is there"
            searchable
            data={sites.map(({ siteId, name }) => ({ value: String(siteId), label: name }))}
            value={begun.siteId === undefined ? null : String(begun.siteId)}
            onChange={(value) => value && choose(Number(value))}
            w={280}
          />
          {begun.siteId !== undefined && (
            <Button onClick={() => go(placeOfStep('delivery', begun))}>Next: delivery</Button>
          )}
        </Group>
      </Section>
      {begun.siteId === undefined ? (
        may('createSite') && (
          <Section title="Or a new one">
            <NewSite onDone={choose} />
          </Section>
        )
      ) : (
        <Chosen siteId={begun.siteId} />
      )}
    </>
  )
}

function Chosen({ siteId }: { siteId: number }) {
  const site = useQuery(read(useEnvironment(), 'readSite', { path: { siteId } }))
  return <Loaded query={site}>{(told) => <SiteGeneral key={siteId} site={told} />}</Loaded>
}

function NewSite({ onDone }: { onDone: (siteId: number) => void }) {
  const form = useForm('createSite', {
    initial: {
      name: '',
      url: '',
      currency: 'USD',
      countryCode: 'US',
      timeZone: 'America/New_York',
      supplierCode: '',
      taxBy: 'TABLES',
      storesDivisionAddresses: false as boolean,
      username: '',
      email: '',
      firstName: '',
      lastName: '',
    },
    draft: 'onboarding a site',
    input: ({ username, email, firstName, lastName, ...site }) => ({
      body: { ...siteBody(site), orderingUser: { username, email, firstName, lastName } },
    }),
    onDone: ({ siteId }) => onDone(siteId),
  })
  return (
    <Form form={form} submit="Create the site">
      <SiteFields form={form} />
      <h3>The user for whom partners’ orders are placed</h3>
      <TextField form={form} name="username" label="Username" required path="orderingUser.username" />
      <TextField form={form} name="email" label="E-mail" required inputMode="email" path="orderingUser.email" />
      <TextField form={form} name="firstName" label="First name" required path="orderingUser.firstName" />
      <TextField form={form} name="lastName" label="Last name" required path="orderingUser.lastName" />
    </Form>
  )
}
