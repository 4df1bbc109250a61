import { revisionOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { ChoiceField, Form, useForm } from '../kit/form.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { CapabilityChoice, SiteChoice, tierChoices } from './choices.tsx'
import type { Capability, Partner, Tier } from './partner.ts'

/** What the partner is granted: sites, what its programs may do there, and how much. */
export function Grants({ partner }: { partner: Partner }) {
  const may = useMay()
  return (
    <PageBody aside={may('setTier') && <TierOf partner={partner} />}>
      <Sites partner={partner} />
      <Capabilities partner={partner} />
    </PageBody>
  )
}

function Sites({ partner }: { partner: Partner }) {
  const form = useForm('setGrantedSites', {
    initial: { siteIds: partner.siteIds.map(String) as readonly string[] },
    revision: revisionOf(partner),
    input: ({ siteIds }) => ({ path: { partnerId: partner.partnerId }, body: { siteIds: siteIds.map(Number) } }),
  })
  return (
    <Section title="Granted sites">
      <Form form={form} submit="Save sites">
        <SiteChoice form={form} />
      </Form>
    </Section>
  )
}

function Capabilities({ partner }: { partner: Partner }) {
  const form = useForm('setCapabilities', {
    initial: { capabilities: partner.capabilities as readonly string[] },
    revision: revisionOf(partner),
    input: ({ capabilities }) => ({
      path: { partnerId: partner.partnerId },
      body: { capabilities: capabilities as Capability[] },
    }),
  })
  return (
    <Section title="Capabilities">
      <Form form={form} submit="Save capabilities">
        <CapabilityChoice form={form} />
      </Form>
    </Section>
  )
}

function TierOf({ partner }: { partner: Partner }) {
  const form = useForm('setTier', {
    initial: { tier: partner.tier as string },
    revision: revisionOf(partner),
    input: ({ tier }) => ({ path: { partnerId: partner.partnerId }, body: { tier: tier as Tier } }),
  })
  return (
    <Section title="Tier">
      <Form form={form} submit="Save tier">
        <ChoiceField form={form} name="tier" label="How many calls it may make" data={tierChoices} />
      </Form>
    </Section>
  )
}
