import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { revisionOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import {
  ChoiceField,
  ChoicesField,
  FlagField,
  Form,
  LongField,
  TextField,
  useForm,
  type FormState,
} from '../kit/form.tsx'
import { Section } from '../kit/section.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { ArtworkDrawing } from './artwork-drawing.tsx'
import classes from './catalog.module.css'
import type { ProductDetail } from './product-glance.tsx'
import { changesOf, valuesOf, type ProductValues, type ProfileField } from './product-values.ts'

export const artworkSources = [
  { value: 'TEMPLATE', label: 'Template' },
  { value: 'UPLOAD', label: 'Uploaded files' },
  { value: 'ON_FILE', label: 'On file at the works' },
  { value: 'NONE', label: 'None' },
]
export const visibilities = [
  { value: 'PUBLIC', label: 'Everyone' },
  { value: 'SEGMENTS', label: 'Users in its segments' },
  { value: 'HIDDEN', label: 'Nobody' },
]
const artworkTypes = [
  { value: 'application/pdf', label: 'PDF' },
  { value: 'image/png', label: 'PNG' },
  { value: 'image/jpeg', label: 'JPEG' },
  { value: 'image/tiff', label: 'TIFF' },
  { value: 'image/svg+xml', label: 'SVG' },
  { value: 'image/webp', label: 'WebP' },
  { value: 'image/vnd.adobe.photoshop', label: 'Photoshop' },
  { value: 'application/postscript', label: 'PostScript' },
  { value: 'application/eps', label: 'EPS' },
]

const rules: readonly (readonly [field: ProfileField, label: string])[] = [
  ['trimWidth', 'Trim width, pt'],
  ['trimHeight', 'Trim height, pt'],
  ['bleed', 'Bleed, pt'],
  ['safe', 'Safe margin, pt'],
  ['pagesMin', 'Fewest pages'],
  ['pagesMax', 'Most pages'],
  ['pagesMultiple', 'Pages, a multiple of'],
  ['imagePpiError', 'Pixels per inch, error below'],
  ['imagePpiWarn', 'Pixels per inch, warning below'],
  ['inkPercentMax', 'Most ink, %'],
  ['textPointsMin', 'Smallest text, pt'],
  ['linePointsMin', 'Thinnest line, pt'],
]

/** What a product is and how its site offers it. A share has its master's definition, and only the site's part here. */
export function ProductForm({ product }: { product: ProductDetail }) {
  const may = useMay()
  const isShare = product.masterId !== null
  const form = useForm('changeProduct', {
    initial: valuesOf(product),
    input: (values) => ({ path: { productId: product.productId }, body: changesOf(product, values) }),
    revision: revisionOf(product),
  })
  const fields = (
    <>
      <Section title="Offer">
        <div className={classes.fields}>
          {!isShare && <TextField form={form} name="name" label="Name" required />}
          {!isShare && <TextField form={form} name="code" label="Code" required />}
          <ChoiceField form={form} name="visibility" label="Seen by" data={visibilities} />
          <TextField form={form} name="minQuantity" label="Smallest quantity" inputMode="numeric" />
          <TextField form={form} name="maxQuantity" label="Largest quantity" inputMode="numeric" />
          <div className={`${classes.wide} ${classes.flags}`}>
            <FlagField form={form} name="active" label="Active" />
            <FlagField form={form} name="requiresApproval" label="Orders wait for approval" />
            {isShare && <FlagField form={form} name="overrideDisplay" label="Texts of its own" />}
          </div>
        </div>
      </Section>
      <Section title="Texts">
        <div className={classes.fields}>
          <div className={classes.wide}>
            <LongField form={form} name="description" label="Description" />
          </div>
          <LongField form={form} name="metaDescription" label="For search engines" />
          <LongField form={form} name="metaKeywords" label="Keywords" />
        </div>
      </Section>
      {isShare ? (
        <Section title="Definition">
          <Text size="sm">
            This is a share. Its name, artwork and delivery are those of{' '}
            <At to={`/catalog/${product.masterId}`} underline="always">
              {product.masterId}
            </At>
            .
          </Text>
        </Section>
      ) : (
        <Definition form={form} product={product} />
      )}
    </>
  )
  if (!may('changeProduct'))
    return (
      <fieldset disabled style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        {fields}
      </fieldset>
    )
  return (
    <Form form={form} submit="Save product">
      {fields}
    </Form>
  )
}

function Definition({ form, product }: { form: FormState<ProductValues>; product: ProductDetail }) {
  return (
    <>
      <Section title="Making and delivery">
        <div className={classes.fields}>
          {product.serviceType === 'STOCK' && (
            <TextField
              form={form}
              name="attributeNames"
              label="Variants differ in"
              description="Up to three, with commas: Color, Size"
            />
          )}
          <CenterField form={form} />
          <TextField form={form} name="turnaroundBusinessDays" label="Business days to make" inputMode="numeric" />
          <TextField form={form} name="unitWeightOunces" label="Weight of a piece, oz" inputMode="decimal" />
          <TextField form={form} name="handlingFee" label="Handling fee, per line" inputMode="decimal" />
          <div className={`${classes.wide} ${classes.flags}`}>
            <FlagField form={form} name="taxable" label="Taxed" />
            <FlagField form={form} name="shippable" label="Shipped" />
            <FlagField form={form} name="digitalDelivery" label="Delivered as a file" />
            <FlagField form={form} name="requiresProof" label="Needs a proof" />
          </div>
        </div>
      </Section>
      <Section title="Artwork">
        <div className={classes.fields}>
          <ChoiceField form={form} name="artworkSource" label="Source" data={artworkSources} />
          <ChoicesField form={form} name="artworkTypes" label="Types of files" data={artworkTypes} />
          <TextField form={form} name="templateVendor" label="Template vendor" />
          <TextField form={form} name="templateId" label="Template" />
          {rules.map(([field, label]) => (
            <TextField key={field} form={form} name={`artworkProfile.${field}`} label={label} inputMode="decimal" />
          ))}
          <div className={classes.wide}>
            <Drawing values={form.values} />
          </div>
        </div>
      </Section>
    </>
  )
}

function Drawing({ values }: { values: ProductValues }) {
  const sizeOf = (field: ProfileField) => Number(values[`artworkProfile.${field}`]) || 0
  const [trimWidth, trimHeight] = [sizeOf('trimWidth'), sizeOf('trimHeight')]
  if (trimWidth <= 0 || trimHeight <= 0)
    return (
      <Text size="sm" c="dimmed">
        Give a trim size, and it is drawn here. 1 inch is 72 pt, 1 mm is 2.835 pt.
      </Text>
    )
  return <ArtworkDrawing trimWidth={trimWidth} trimHeight={trimHeight} bleed={sizeOf('bleed')} safe={sizeOf('safe')} />
}

function CenterField({ form }: { form: FormState<ProductValues> }) {
  const environment = useEnvironment()
  const may = useMay()
  const { data } = useQuery({
    ...read(environment, 'listFulfilmentCenters', {}),
    enabled: may('listFulfilmentCenters'),
  })
  return (
    <ChoiceField
      form={form}
      name="fulfilmentCenterId"
      label="Fulfilment center"
      clearable
      searchable
      data={(data?.fulfilmentCenters ?? []).map((center) => ({
        value: String(center.fulfilmentCenterId),
        label: center.name,
      }))}
    />
  )
}
