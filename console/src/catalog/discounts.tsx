import { Button, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { revisionOf } from '../api/api.ts'
import { isRefusal, Refusal } from '../api/problems.ts'
import { useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import classes from './catalog.module.css'
import type { ProductDetail } from './product-glance.tsx'

type Discount = { name: string; percent: string; startsOn: string; stopsOn: string }

const fields = [
  ['name', 'Name', 200, 'text'],
  ['percent', 'Percent', 90, 'text'],
  ['startsOn', 'From, UTC', 190, 'datetime-local'],
  ['stopsOn', 'Until, UTC', 190, 'datetime-local'],
] as const

/** Discounts on a product; of those in force, the best applies. They are replaced as a whole. */
export function Discounts({ product }: { product: ProductDetail }) {
  const { productId } = product
  const may = useMay()
  const before = product.discounts.map(({ name, percent, startsOn, stopsOn }): Discount => ({
    name: name ?? '',
    percent,
    startsOn: startsOn?.slice(0, 16) ?? '',
    stopsOn: stopsOn?.slice(0, 16) ?? '',
  }))
  const [typed, setTyped] = useState<{ rows: readonly Discount[]; revision: string | undefined } | null>(null)
  const change = useChange('replaceDiscounts')
  const rows = typed?.rows ?? before
  const edit = (next: readonly Discount[]) =>
    setTyped({ rows: next, revision: typed ? typed.revision : revisionOf(product) })
  const faultAt = (path: string) =>
    change.error instanceof Refusal ? change.error.faults.find((fault) => fault.path === path)?.detail : undefined
  const mayChange = may('replaceDiscounts')
  const shown = rows.flatMap((_, at) => fields.map(([field]) => `discounts[${at}].${field}`))
  const instant = (text: string) => (text === '' ? null : `${text}:00Z`)
  const save = () =>
    change.mutate(
      {
        path: { productId },
        body: {
          discounts: rows.map(({ name, percent, startsOn, stopsOn }) => ({
            name: name.trim() || null,
            percent: percent.trim(),
            startsOn: instant(startsOn),
            stopsOn: instant(stopsOn),
          })),
        },
        ifMatch: typed?.revision,
      },
      { onSuccess: () => setTyped(null) },
    )
  return (
    <Section title="Discounts">
      <Stack gap="sm">
        {rows.length === 0 && <Text size="sm">There is no discount.</Text>}
        {rows.length > 0 && (
          <div className={classes.scroll}>
            <table className={classes.sheet} aria-label="Discounts">
              <thead>
                <tr>
                  {fields.map(([field, label]) => (
                    <th key={field} scope="col">
                      {label}
                    </th>
                  ))}
                  <th scope="col">
                    <VisuallyHidden>Verbs</VisuallyHidden>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row, at) => (
                  <tr key={at}>
                    {fields.map(([field, label, width, type]) => (
                      <td key={field}>
                        <TextInput
                          aria-label={`${label} of discount ${at + 1}`}
                          type={type}
                          w={width}
                          disabled={!mayChange}
                          value={row[field]}
                          error={faultAt(`discounts[${at}].${field}`)}
                          onChange={(event) => edit(rows.with(at, { ...row, [field]: event.currentTarget.value }))}
                        />
                      </td>
                    ))}
                    <td>
                      {mayChange && (
                        <Button
                          variant="subtle"
                          color="gray"
                          aria-label={`Remove discount ${at + 1}`}
                          onClick={() => edit(rows.toSpliced(at, 1))}
                        >
                          Remove
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {isRefusal(change.error, 'precondition_failed') ? (
          <Text size="sm" c="var(--warn)" role="alert">
            Somebody changed the product meanwhile. Undo to see what is there now, then change it again.
          </Text>
        ) : (
          <Refused error={change.error} except={shown} />
        )}
        {mayChange && (
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => edit([...rows, { name: '', percent: '', startsOn: '', stopsOn: '' }])}
            >
              Add a discount
            </Button>
            {typed && (
              <>
                <Button onClick={save} loading={change.isPending}>
                  Save discounts
                </Button>
                <Button
                  variant="subtle"
                  color="gray"
                  onClick={() => {
                    setTyped(null)
                    change.reset()
                  }}
                >
                  Undo
                </Button>
              </>
            )}
          </Group>
        )}
      </Stack>
    </Section>
  )
}
