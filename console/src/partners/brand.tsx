import { Button, ColorInput, FileButton, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read, useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { orNull } from '../customers/texts.ts'
import { Facts } from '../kit/facts.tsx'
import { Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { verb, Verbs } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Partner } from './partner.ts'

type Brand = AnswerOf<'readPartnerBrand'>

/** How documents and mails about the partner's orders look; without it they look as the site. */
export function PartnerBrand({ partner }: { partner: Partner }) {
  const may = useMay()
  const found = useQuery(read(useEnvironment(), 'readPartnerBrand', { path: { partnerId: partner.partnerId } }))
  return (
    <Loaded query={found}>
      {(brand) => (
        <PageBody aside={<Logo partner={partner} brand={brand} />}>
          <Section title="Brand">
            {may('setPartnerBrand') ? (
              <BrandForm partner={partner} brand={brand} />
            ) : (
              <Facts
                facts={[
                  ['Name', brand.name],
                  ['Colour', brand.color],
                  ['Support address', brand.supportEmail],
                  ['Sender', brand.senderAddress.join(', ') || null],
                ]}
              />
            )}
          </Section>
          <Alerts partner={partner} />
        </PageBody>
      )}
    </Loaded>
  )
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function BrandForm({ partner, brand }: { partner: Partner; brand: Brand }) {
  const form = useForm('setPartnerBrand', {
    initial: {
      name: brand.name ?? '',
      color: brand.color ?? '',
      supportEmail: brand.supportEmail ?? '',
      senderAddress: brand.senderAddress.join('\n'),
    },
    revision: revisionOf(brand),
    input: ({ name, color, supportEmail, senderAddress }) => ({
      path: { partnerId: partner.partnerId },
      body: {
        name: orNull(name),
        color: orNull(color),
        supportEmail: orNull(supportEmail),
        senderAddress: linesOf(senderAddress),
      },
    }),
  })
  form.shown.add('color')
  return (
    <Form form={form} submit="Save brand">
      <TextField form={form} name="name" label="Name" placeholder={partner.name} />
      <ColorInput
        label="Colour"
        size="xs"
        format="hex"
        eyeDropperButtonProps={{ 'aria-label': 'Take a colour from the screen' }}
        value={form.values.color}
        onChange={(value) => form.set('color', value)}
        error={form.faultAt('color')}
      />
      <TextField form={form} name="supportEmail" label="Support address" inputMode="email" />
      <LongField form={form} name="senderAddress" label="Sender, a line below the other" />
    </Form>
  )
}

function Logo({ partner, brand }: { partner: Partner; brand: Brand }) {
  const may = useMay()
  const path = { partnerId: partner.partnerId }
  const upload = useChange('setPartnerLogo')
  return (
    <Section title="Logo">
      {brand.logoUrl ? (
        <img
          src={brand.logoUrl}
          alt={`Logo of ${partner.name}`}
          style={{ maxWidth: '100%', maxHeight: 120, background: '#fff' }}
        />
      ) : (
        <p>There is none.</p>
      )}
      <Refused error={upload.error} />
      <Group gap="xs" mt="xs">
        {may('setPartnerLogo') && (
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            onChange={(file) => file && upload.mutate({ path, body: file as never })}
          >
            {(props) => (
              <Button {...props} variant="default" loading={upload.isPending}>
                Choose a picture…
              </Button>
            )}
          </FileButton>
        )}
        {brand.logoUrl && <Verbs verbs={[verb('removePartnerLogo', 'Remove the logo', { path }, { danger: true })]} />}
      </Group>
    </Section>
  )
}

/** Who at the partner is told when something ends or fails. */
function Alerts({ partner }: { partner: Partner }) {
  const found = useQuery(read(useEnvironment(), 'readAlertEmails', { path: { partnerId: partner.partnerId } }))
  return (
    <Section title="Alerts">
      <Loaded query={found}>
        {({ emails }) => <AlertForm key={emails.join()} partner={partner} emails={emails} />}
      </Loaded>
    </Section>
  )
}

function AlertForm({ partner, emails }: { partner: Partner; emails: readonly string[] }) {
  const may = useMay()
  const form = useForm('setAlertEmails', {
    initial: { emails: emails.join('\n') },
    input: (values) => ({ path: { partnerId: partner.partnerId }, body: { emails: linesOf(values.emails) } }),
  })
  if (!may('setAlertEmails')) return <p>{emails.join(', ') || 'Nobody is told.'}</p>
  return (
    <Form form={form} submit="Save addresses">
      <LongField
        form={form}
        name="emails"
        label="Addresses, a line each"
        description="Told of failing endpoints, ending certificates, and quotas that are nearly used."
      />
    </Form>
  )
}
