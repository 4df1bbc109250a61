import { Button, Checkbox, Group, Select, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import { revisionOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { useForm, type FormState } from '../kit/form.tsx'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import classes from './catalog.module.css'
import type { ProductDetail } from './product-glance.tsx'
import { numberOf } from './product-values.ts'

type Variant = ProductDetail['variants'][number]

const choiceNames = ['attribute1Choice', 'attribute2Choice', 'attribute3Choice'] as const

type VariantValues = ReturnType<typeof valuesOf>

function valuesOf(variant: Variant | undefined) {
  const textOf = (value: string | number | null | undefined) =>
    value === null || value === undefined ? '' : `${value}`
  return {
    attribute1Choice: textOf(variant?.attribute1Choice),
    attribute2Choice: textOf(variant?.attribute2Choice),
    attribute3Choice: textOf(variant?.attribute3Choice),
    sku: textOf(variant?.sku),
    location: textOf(variant?.location),
    weight: textOf(variant?.weight),
    weightUnit: textOf(variant?.weightUnit),
    lowStockLevel: textOf(variant?.lowStockLevel),
    backorderable: variant?.backorderable ?? false,
    active: variant?.active ?? true,
  }
}

function bodyOf(values: VariantValues) {
  const { backorderable, active, lowStockLevel, weightUnit, ...texts } = values
  return {
    ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim() || null])) as {
      [Name in keyof typeof texts]: string | null
    }),
    weightUnit: (weightUnit || null) as Variant['weightUnit'],
    lowStockLevel: numberOf(lowStockLevel),
    backorderable,
    active,
  }
}

/** The variants of a product in a table, each row edited in place. */
export function Variants({ product }: { product: ProductDetail }) {
  const may = useMay()
  const { variants, attributeNames, serviceType, masterId } = product
  if (serviceType !== 'STOCK')
    return (
      <Section title="Variants">
        <Text size="sm">A product that is made on demand has no variants.</Text>
      </Section>
    )
  return (
    <Section title="Variants">
      <div className={classes.scroll}>
        <table className={classes.sheet} aria-label="Variants">
          <thead>
            <tr>
              {attributeNames.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {['SKU', 'Shelf', 'Weight', 'Unit', 'Low at', 'Back orders', 'Active', 'Stock'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">
                <VisuallyHidden>Verbs</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <VariantRow key={variant.variantId} product={product} variant={variant} />
            ))}
            {may('createVariant') && masterId === null && <NewVariant key={variants.length} product={product} />}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function VariantRow({ product, variant }: { product: ProductDetail; variant: Variant }) {
  const { productId } = product
  const { variantId, stockQuantity } = variant
  const may = useMay()
  const form = useForm('changeVariant', {
    initial: valuesOf(variant),
    input: (values) => ({ path: { productId, variantId }, body: bodyOf(values) }),
    revision: revisionOf(product),
  })
  const name = nameOf(product, variant)
  const mayChange = may('changeVariant')
  return (
    <tr>
      <Cells form={form} product={product} name={name} disabled={!mayChange} />
      <td>
        <At to={`/stock?productId=${productId}&variant=${variantId}`} className="numbers">
          {stockQuantity === null ? 'Not counted' : stockQuantity.toLocaleString('en-US')}
        </At>
      </td>
      <td>
        <Group gap="xs" wrap="nowrap">
          {form.hasChanged ? (
            <>
              <Button onClick={form.submit} loading={form.isPending}>
                Save {name}
              </Button>
              <Button variant="subtle" color="gray" onClick={() => form.reset()}>
                Undo
              </Button>
            </>
          ) : (
            <Verbs
              first={0}
              label={`More of ${name}`}
              verbs={[verb('deleteVariant', `Delete ${name}`, { path: { productId, variantId } }, { danger: true })]}
            />
          )}
        </Group>
        {form.isOutdated && (
          <Text size="sm" c="var(--warn)" role="alert">
            Somebody changed the product meanwhile. Save again to keep what you typed.
          </Text>
        )}
        {form.error && !form.isOutdated && <Refused error={form.error} except={[...form.shown]} />}
      </td>
    </tr>
  )
}

function NewVariant({ product }: { product: ProductDetail }) {
  const { productId } = product
  const form = useForm('createVariant', {
    initial: valuesOf(undefined),
    input: (values) => ({ path: { productId }, body: bodyOf(values) }),
  })
  return (
    <tr>
      <Cells form={form} product={product} name="new variant" />
      <td>–</td>
      <td>
        <Button variant="default" onClick={form.submit} loading={form.isPending}>
          Add variant
        </Button>
        <Refused error={form.error} except={[...form.shown]} />
      </td>
    </tr>
  )
}

function Cells({
  form,
  product,
  name,
  disabled = false,
}: {
  form: FormState<VariantValues>
  product: ProductDetail
  name: string
  disabled?: boolean
}) {
  const isShare = product.masterId !== null
  const text = (field: keyof VariantValues & string, label: string, width: number, isMasters = isShare) => {
    form.shown.add(field)
    return (
      <td>
        <TextInput
          aria-label={`${label} of ${name}`}
          w={width}
          disabled={disabled || isMasters}
          autoComplete="off"
          value={form.values[field] as string}
          error={form.faultAt(field)}
          onChange={(event) => form.set(field, event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && form.submit()}
        />
      </td>
    )
  }
  const flag = (field: 'backorderable' | 'active', label: string) => (
    <td>
      <Checkbox
        aria-label={`${label} of ${name}`}
        mt={6}
        disabled={disabled}
        checked={form.values[field]}
        onChange={(event) => form.set(field, event.currentTarget.checked)}
      />
    </td>
  )
  return (
    <>
      {product.attributeNames.map((attribute, at) => (
        <Fragment key={attribute}>{text(choiceNames[at]!, attribute, 110)}</Fragment>
      ))}
      {text('sku', 'SKU', 170)}
      {text('location', 'Shelf', 90)}
      {text('weight', 'Weight', 70)}
      <td>
        <Select
          aria-label={`Unit of ${name}`}
          w={70}
          clearable
          disabled={disabled || isShare}
          data={['OZ', 'LB', 'G', 'KG']}
          value={form.values.weightUnit || null}
          onChange={(value) => form.set('weightUnit', value ?? '')}
        />
      </td>
      {text('lowStockLevel', 'Low stock', 70)}
      {flag('backorderable', 'Back orders')}
      {flag('active', 'Active')}
    </>
  )
}

/** The choices of a variant, or else its SKU. */
export function nameOf({ attributeNames }: Pick<ProductDetail, 'attributeNames'>, variant: Variant): string {
  const choices = choiceNames.slice(0, attributeNames.length).flatMap((name) => variant[name] ?? [])
  return choices.join(' / ') || variant.sku || `variant ${variant.variantId}`
}
