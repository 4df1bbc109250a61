import { Checkbox, SimpleGrid } from '@mantine/core'
import { inWords } from '../kit/status.tsx'
import type { FormState } from '../kit/form.tsx'
import { useSites } from '../shell/sites.ts'
import { capabilities, capabilityMeanings, tiers } from './partner.ts'

export const tierChoices = tiers.map((value) => ({ value, label: inWords(value) }))

/** The sites that a partner is granted. */
export function SiteChoice<Given extends { siteIds: readonly string[] }>({ form }: { form: FormState<Given> }) {
  const sites = useSites()
  form.shown.add('siteIds')
  return (
    <Checkbox.Group
      label="Sites"
      value={[...form.values.siteIds]}
      onChange={(chosen) => form.set('siteIds', chosen as unknown as Given['siteIds'])}
      error={form.faultAt('siteIds')}
    >
      <SimpleGrid type="container" cols={{ base: 1, '420px': 2 }} spacing={6} mt={6}>
        {sites.map(({ siteId, name }) => (
          <Checkbox key={siteId} value={String(siteId)} label={name} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}

/** What the partner's programs may do there. */
export function CapabilityChoice<Given extends { capabilities: readonly string[] }>({
  form,
}: {
  form: FormState<Given>
}) {
  form.shown.add('capabilities')
  return (
    <Checkbox.Group
      label="What its programs may do"
      value={[...form.values.capabilities]}
      onChange={(chosen) => form.set('capabilities', chosen as unknown as Given['capabilities'])}
      error={form.faultAt('capabilities')}
    >
      <SimpleGrid type="container" cols={{ base: 1, '420px': 2 }} spacing={6} mt={6}>
        {capabilities.map((capability) => (
          <Checkbox
            key={capability}
            value={capability}
            label={capabilityMeanings[capability]}
            description={capability}
          />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}
