import { ColorInput, FileButton, Button, Group } from '@mantine/core'
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
import { Status } from '../kit/status.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { contrastOf, textOn } from './contrast.ts'
import type { Site } from './site-view.tsx'
import classes from './sites.module.css'

type Brand = AnswerOf<'readSiteBrand'>

/** How a site looks on documents, labels and mails. */
export function SiteBrand({ site }: { site: Site }) {
  const may = useMay()
  const found = useQuery(read(useEnvironment(), 'readSiteBrand', { path: { siteId: site.siteId } }))
  return (
    <Loaded query={found}>
      {(brand) =>
        may('setSiteBrand') ? (
          <BrandForm site={site} brand={brand} />
        ) : (
          <PageBody>
            <Section title="Brand">
              <Sample name={brand.name ?? site.name} color={brand.color ?? usual} logoUrl={brand.logoUrl} />
              <Facts
                facts={[
                  ['Support address', brand.supportEmail],
                  ['Sender', brand.senderAddress.join(', ') || null],
                  ['Tax number', brand.taxNumber],
                ]}
              />
            </Section>
          </PageBody>
        )
      }
    </Loaded>
  )
}

/** the colour of a site that has none of its own */
const usual = '#2348c7'

function BrandForm({ site, brand }: { site: Site; brand: Brand }) {
  const path = { siteId: site.siteId }
  const form = useForm('setSiteBrand', {
    initial: {
      name: brand.name ?? '',
      color: brand.color ?? '',
      supportEmail: brand.supportEmail ?? '',
      senderAddress: brand.senderAddress.join('\n'),
      taxNumber: brand.taxNumber ?? '',
    },
    revision: revisionOf(brand),
    input: ({ name, color, supportEmail, senderAddress, taxNumber }) => ({
      path,
      body: {
        name: orNull(name),
        color: orNull(color),
        supportEmail: orNull(supportEmail),
        senderAddress: senderAddress.split('\n').filter((line) => line.trim() !== ''),
        taxNumber: orNull(taxNumber),
      },
    }),
  })
  form.shown.add('color')
  const { name, color } = form.values
  return (
    <PageBody
      aside={
        <>
          <Section title="Sample">
            <Sample name={name || site.name} color={color || usual} logoUrl={brand.logoUrl} />
          </Section>
          <Logo siteId={site.siteId} brand={brand} />
        </>
      }
    >
      <Section title="Brand">
        <Form form={form} submit="Save the brand">
          <TextField form={form} name="name" label="Name" placeholder={site.name} />
          <ColorInput
            label="Colour"
            size="xs"
            format="hex"
            placeholder="The usual blue"
            eyeDropperButtonProps={{ 'aria-label': 'Take a colour from the screen' }}
            value={color}
            onChange={(value) => form.set('color', value)}
            error={form.faultAt('color')}
          />
          <TextField form={form} name="supportEmail" label="Support address" inputMode="email" />
          <LongField
            form={form}
            name="senderAddress"
            label="Sender"
            rows={3}
            description="Lines of the address on documents and labels, six at most."
          />
          <TextField form={form} name="taxNumber" label="Tax number" />
        </Form>
      </Section>
    </PageBody>
  )
}

/** The head of a mail or document in the colour, with how well it can be read. */
function Sample({ name, color, logoUrl }: { name: string; color: string; logoUrl: string | null }) {
  const text = textOn(color)
  if (text === undefined) return <p>A colour is written as #rrggbb.</p>
  const contrast = contrastOf(color, text)
  return (
    <>
      <div className={classes.sample} style={{ background: color, color: text }}>
        {logoUrl !== null && <img src={logoUrl} alt={`Logo of ${name}`} />}
        <strong>{name}</strong>
      </div>
      <p>
        <Status
          value={contrast >= 4.5 ? 'ready' : 'WARNING'}
          label={`Text on it has a contrast of ${contrast.toFixed(1)} to 1${contrast >= 4.5 ? '' : '; 4.5 is needed to read it easily'}`}
        />
      </p>
    </>
  )
}

function Logo({ siteId, brand }: { siteId: number; brand: Brand }) {
  const path = { siteId }
  const change = useChange('setSiteLogo')
  return (
    <Section
      title="Logo"
      actions={
        brand.logoUrl !== null && (
          <Verbs
            first={0}
            label="More for the logo"
            verbs={[verb('removeSiteLogo', 'Remove the logo', { path }, { danger: true })]}
          />
        )
      }
    >
      <Group>
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => file && change.mutate({ path, body: file })}
        >
          {(props) => (
            <Button {...props} variant="default" loading={change.isPending}>
              Choose a logo
            </Button>
          )}
        </FileButton>
        <span>PNG, JPEG or WebP.</span>
      </Group>
      <Refused error={change.error} />
    </Section>
  )
}
