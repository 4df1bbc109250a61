import { createFileRoute } from '@tanstack/react-router'
import type { BodyOf } from '../../../api/api.ts'
import classes from '../../../catalog/catalog.module.css'
import { artworkSources, visibilities } from '../../../catalog/product-form.tsx'
import { wordsOf } from '../../../catalog/product-values.ts'
import { At, useGo } from '../../../kit/at.tsx'
import { ChoiceField, Form, TextField, useForm } from '../../../kit/form.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { Section } from '../../../kit/section.tsx'
import { useWayBack, WayBack, withWayBack } from '../../../onboarding/way-back.tsx'
import { useSiteFilter, useSites } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/catalog/new')({ component: NewProductPage })

type Body = BodyOf<'createProduct'>

/** The few fields that a product begins with; its own page then says what is missing. */
function NewProductPage() {
  const go = useGo()
  const back = useWayBack()
  const sites = useSites()
  const siteFilter = useSiteFilter()
  const form = useForm('createProduct', {
    initial: {
      siteId: siteFilter === undefined ? '' : String(siteFilter),
      serviceType: 'STOCK',
      name: '',
      code: '',
      artworkSource: 'NONE',
      attributeNames: '',
      visibility: 'PUBLIC',
    },
    input: ({ siteId, serviceType, name, code, artworkSource, attributeNames, visibility }) => ({
      path: { siteId: Number(siteId) },
      body: {
        serviceType: serviceType as Body['serviceType'],
        name,
        code,
        artworkSource: artworkSource as Body['artworkSource'],
        visibility: visibility as NonNullable<Body['visibility']>,
        ...(serviceType === 'STOCK' && attributeNames.trim() && { attributeNames: wordsOf(attributeNames) }),
      },
    }),
    draft: 'new-product',
    onDone: ({ productId }) => go(withWayBack(`/catalog/${productId}`, back)),
  })
  return (
    <>
      <PageHead
        title="New product"
        above={
          <>
            <WayBack />
            <At to="/catalog">Catalog</At>
          </>
        }
      />
      <div className={classes.page}>
        <Form form={form} submit="Create product" onCancel={() => go(back ?? '/catalog')}>
          <Section title="What it is">
            <div className={classes.fields}>
              <ChoiceField
                form={form}
                name="siteId"
                label="Site"
                required
                searchable
                data={sites.map(({ siteId, name }) => ({ value: String(siteId), label: name }))}
              />
              <TextField form={form} name="name" label="Name" required autoFocus />
              <TextField form={form} name="code" label="Code" required />
              <ChoiceField
                form={form}
                name="serviceType"
                label="Type"
                data={[
                  { value: 'STOCK', label: 'Stock: lies on a shelf' },
                  { value: 'POD', label: 'On demand: made for each order' },
                ]}
              />
              <ChoiceField form={form} name="artworkSource" label="Artwork" data={artworkSources} />
              <ChoiceField form={form} name="visibility" label="Seen by" data={visibilities} />
              {form.values.serviceType === 'STOCK' && (
                <TextField
                  form={form}
                  name="attributeNames"
                  label="Variants differ in"
                  description="Up to three, with commas: Color, Size"
                />
              )}
            </div>
          </Section>
        </Form>
      </div>
    </>
  )
}
