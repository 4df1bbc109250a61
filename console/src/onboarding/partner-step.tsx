import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useGo } from '../kit/at.tsx'
import { ChoiceField, Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { CapabilityChoice, SiteChoice, tierChoices } from '../partners/choices.tsx'
import { IssuedSecret } from '../partners/credentials.tsx'
import { Grants } from '../partners/grants.tsx'
import type { Capability, Tier } from '../partners/partner.ts'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter } from '../shell/sites.ts'
import { placeOfStep, type Begun } from './steps.ts'

/** Who orders there, what it may do, and by what it signs in. */
export function PartnerStep({ begun }: { begun: Begun }) {
  const environment = useEnvironment()
  const may = useMay()
  const go = useGo()
  const [created, setCreated] = useState<AnswerOf<'createPartner'> | null>(null)
  const partners = useQuery(read(environment, 'listPartners', { query: { limit: 200 } }))
  const choose = (partnerId: string) => go(placeOfStep('partner', { ...begun, partnerId }))
  return (
    <>
      {created?.client && <IssuedSecret issued={created.client} />}
      <Section title="Partner">
        <Group align="flex-end">
          <Select
            label="A partner that is there"
            searchable
            data={(partners.data?.partners ?? []).map(({ partnerId, name }) => ({ value: partnerId, label: name }))}
            value={begun.partnerId ?? null}
            onChange={(value) => value && choose(value)}
            w={280}
          />
          {begun.partnerId !== undefined && (
            <Button onClick={() => go(placeOfStep('check', begun))}>Next: check</Button>
          )}
        </Group>
      </Section>
      {begun.partnerId === undefined ? (
        may('createPartner') && (
          <Section title="Or a new one">
            <NewPartner
              begun={begun}
              onDone={(partner) => {
                setCreated(partner)
                choose(partner.partnerId)
              }}
            />
          </Section>
        )
      ) : (
        <Chosen partnerId={begun.partnerId} />
      )}
    </>
  )
}

function Chosen({ partnerId }: { partnerId: string }) {
  const partner = useQuery(read(useEnvironment(), 'readPartner', { path: { partnerId } }))
  return <Loaded query={partner}>{(told) => <Grants key={partnerId} partner={told} />}</Loaded>
}

/** What most partners need: read the catalog, place orders and follow them. */
const usual: readonly string[] = ['sites:read', 'products:read', 'orders:read', 'orders:write']

function NewPartner({ begun, onDone }: { begun: Begun; onDone: (partner: AnswerOf<'createPartner'>) => void }) {
  const siteFilter = useSiteFilter()
  const siteId = begun.siteId ?? siteFilter
  const form = useForm('createPartner', {
    initial: {
      name: '',
      machineMethod: 'BEARER',
      tier: 'STANDARD',
      siteIds: (siteId === undefined ? [] : [String(siteId)]) as readonly string[],
      capabilities: usual,
      label: 'Order server',
      pem: '',
    },
    draft: 'onboarding a partner',
    input: ({ name, machineMethod, tier, siteIds, capabilities, label, pem }) => ({
      body: {
        name,
        machineMethod: machineMethod as 'BEARER' | 'MTLS',
        tier: tier as Tier,
        siteIds: siteIds.map(Number),
        capabilities: capabilities as Capability[],
        ...(machineMethod === 'BEARER'
          ? { client: label.trim() ? { label: label.trim() } : {} }
          : { certificate: { pem } }),
      },
    }),
    onDone,
  })
  return (
    <Form form={form} submit="Create the partner">
      <TextField form={form} name="name" label="Name" required />
      <ChoiceField
        form={form}
        name="machineMethod"
        label="Its programs sign in by"
        data={[
          { value: 'BEARER', label: 'Client id and secret' },
          { value: 'MTLS', label: 'A certificate of their own' },
        ]}
      />
      {form.values.machineMethod === 'BEARER' ? (
        <TextField form={form} name="label" label="What the first client is for" path="client.label" />
      ) : (
        <LongField form={form} name="pem" label="Certificate, PEM" required rows={6} path="certificate.pem" />
      )}
      <ChoiceField form={form} name="tier" label="How many calls it may make" data={tierChoices} />
      <SiteChoice form={form} />
      <CapabilityChoice form={form} />
    </Form>
  )
}
