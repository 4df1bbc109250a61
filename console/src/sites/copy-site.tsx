import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type AnswerOf } from '../api/api.ts'
import { useChange } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'

/** Copies a site to this environment. What would be copied is shown first. */
export function CopySite({ close }: { close: () => void }) {
  const environment = useEnvironment()
  const [looked, setLooked] = useState<AnswerOf<'copySite'> | null>(null)
  const form = useForm('copySite', {
    initial: {
      from: environment === 'production' ? 'sandbox' : 'production',
      siteId: '',
      name: '',
      url: '',
      products: true as boolean,
    },
    input: (values) => ({ body: { ...bodyOf(values), dryRun: true } }),
    onDone: setLooked,
  })
  const copy = useChange('copySite', { onDone: setLooked })
  const { from } = form.values
  const { data: sites = [] } = useQuery({
    queryKey: [from, 'listSites', 'to copy'],
    queryFn: async () =>
      (await call('listSites', from === 'sandbox' ? 'sandbox' : 'production', { query: { limit: 100 } })).sites,
  })
  if (looked) {
    return (
      <Stack gap="sm">
        <strong>{looked.dryRun ? 'The copy would be' : 'The copy is made'}</strong>
        <Facts
          facts={looked.copied.map(({ what, count, there }) => [what, `${count} added, ${there} there already`])}
        />
        {looked.notCopied.length > 0 && (
          <ul>
            {looked.notCopied.map((told) => (
              <li key={told}>{told}</li>
            ))}
          </ul>
        )}
        <Refused error={copy.error} />
        {looked.dryRun ? (
          <Button loading={copy.isPending} onClick={() => copy.mutate({ body: bodyOf(form.values) })}>
            Copy the site
          </Button>
        ) : (
          looked.siteId !== null && <At to={`/sites/${looked.siteId}`}>Open the copy</At>
        )}
        <Button variant="subtle" color="gray" onClick={looked.dryRun ? () => setLooked(null) : close}>
          {looked.dryRun ? 'Back' : 'Close'}
        </Button>
      </Stack>
    )
  }
  return (
    <Form form={form} submit="Look at what would be copied" onCancel={close}>
      <ChoiceField
        form={form}
        name="from"
        label="From"
        data={[
          { value: 'sandbox', label: 'Sandbox' },
          { value: 'production', label: 'Production' },
        ]}
      />
      <ChoiceField
        form={form}
        name="siteId"
        label="Original"
        required
        searchable
        data={sites.map(({ siteId, name }) => ({ value: String(siteId), label: name }))}
      />
      <TextField
        form={form}
        name="name"
        label="Name of the copy"
        description="Nothing = that of the original. Within an environment it needs one of its own."
      />
      <TextField form={form} name="url" label="Address of the copy" inputMode="url" />
      <FlagField form={form} name="products" label="With its products and prices" />
    </Form>
  )
}

function bodyOf(values: { from: string; siteId: string; name: string; url: string; products: boolean }) {
  return {
    from: values.from === 'sandbox' ? ('sandbox' as const) : ('production' as const),
    siteId: Number(values.siteId),
    products: values.products,
    ...(values.name && { name: values.name }),
    ...(values.url && { url: values.url }),
  }
}
