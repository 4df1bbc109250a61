import { Button, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read, useChange } from '../api/queries.ts'
import { useGo } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { Form, TextField, useForm } from '../kit/form.tsx'
import { Refused } from '../kit/refused.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useTyped } from '../shell/record-filters.tsx'
import type { Partner } from './partner.ts'

export function PartnerVerbs({ partner }: { partner: Partner }) {
  const path = { partnerId: partner.partnerId }
  const isMerged = partner.mergedInto !== null
  return (
    <Verbs
      label="More for the partner"
      // None of the others is what is done next.
      first={partner.disabledOn !== null && !isMerged ? 1 : 0}
      verbs={[
        verb('enablePartner', 'Enable', { path }, { hidden: partner.disabledOn === null || isMerged }),
        asking('renamePartner', 'Rename…', (close) => <Rename partner={partner} close={close} />, {
          hidden: isMerged,
          quiet: true,
        }),
        asking('copyPartner', 'Copy to the other environment…', (close) => <Copy partner={partner} close={close} />, {
          hidden: isMerged,
        }),
        asking('mergePartners', 'Merge into another…', (close) => <Merge partner={partner} close={close} />, {
          hidden: isMerged,
          danger: true,
        }),
        asking('disablePartner', 'Disable…', (close) => <Disable partner={partner} close={close} />, {
          hidden: partner.disabledOn !== null,
          danger: true,
        }),
      ]}
    />
  )
}

type Asked = { partner: Partner; close: () => void }

function Rename({ partner, close }: Asked) {
  const form = useForm('renamePartner', {
    initial: { name: partner.name },
    revision: revisionOf(partner),
    input: ({ name }) => ({ path: { partnerId: partner.partnerId }, body: { name } }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Rename" onCancel={close}>
      <TextField form={form} name="name" label="Name" required />
    </Form>
  )
}

function Disable({ partner, close }: Asked) {
  const form = useForm('disablePartner', {
    initial: {},
    input: () => ({ path: { partnerId: partner.partnerId } }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Disable ${partner.name}`} danger onCancel={close}>
      <Text size="sm">
        Its programs and people are refused from the next request on, and nothing is sent to it. Its orders go on.
      </Text>
    </Form>
  )
}

/** First what the other partner gains, then the merge. */
function Merge({ partner, close }: Asked) {
  const environment = useEnvironment()
  const go = useGo()
  const [into, setInto] = useState<{ value: string; label: string } | null>(null)
  const typed = useTyped()
  const found = useQuery({
    ...read(environment, 'listPartners', { query: { q: typed.other(into?.label), limit: 20 } }),
    placeholderData: (before) => before,
  })
  const [looked, setLooked] = useState<AnswerOf<'mergePartners'> | null>(null)
  const look = useChange('mergePartners', { onDone: setLooked })
  const merge = useChange('mergePartners', { onDone: ({ into: kept }) => go(`/partners/${kept}`) })
  const path = { partnerId: partner.partnerId }
  if (looked) {
    return (
      <Stack gap="sm">
        <Text size="sm">These go over:</Text>
        <Facts facts={looked.moved.map(({ what, count }) => [what, String(count)] as const)} />
        {looked.gains.length > 0 && (
          <>
            <Text size="sm">The other partner’s programs and people gain:</Text>
            <ul>
              {looked.gains.map(({ what, id, name }) => (
                <li key={`${what} ${id}`}>
                  {what}: {name ?? id}
                </li>
              ))}
            </ul>
          </>
        )}
        <Refused error={merge.error} />
        <Button
          color="red"
          loading={merge.isPending}
          onClick={() => merge.mutate({ path, body: { into: looked.into } })}
        >
          Merge {partner.name}, for good
        </Button>
        <Button variant="subtle" color="gray" onClick={() => setLooked(null)}>
          Back
        </Button>
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      <Select
        label="Into"
        searchable
        comboboxProps={{ withinPortal: false }}
        // The service has looked already.
        filter={({ options }) => options}
        nothingFoundMessage="No other partner has this name"
        data={(found.data?.partners ?? [])
          .filter(({ partnerId }) => partnerId !== partner.partnerId)
          .map(({ partnerId, name }) => ({ value: partnerId, label: name }))}
        value={into?.value ?? null}
        onSearchChange={typed.set}
        onChange={(_, chosen) => setInto(chosen)}
      />
      <Refused error={look.error} />
      <Button
        disabled={into === null}
        loading={look.isPending}
        onClick={() => look.mutate({ path, body: { into: into!.value, dryRun: true } })}
      >
        Look at what would go over
      </Button>
      <Button variant="subtle" color="gray" onClick={close}>
        Cancel
      </Button>
    </Stack>
  )
}

/** A copy is made by the other environment, which reads this one. */
function Copy({ partner, close }: Asked) {
  const environment = useEnvironment()
  const [copied, setCopied] = useState<AnswerOf<'copyPartner'> | null>(null)
  const copy = useChange('copyPartner', {
    onDone: setCopied,
    environment: environment === 'production' ? 'sandbox' : 'production',
  })
  const body = { from: environment, partnerId: partner.partnerId }
  return (
    <Stack gap="sm">
      {copied === null ? (
        <Text size="sm">
          Its grants and settings are copied to the {environment === 'production' ? 'sandbox' : 'production'};
          credentials are not.
        </Text>
      ) : (
        <>
          <strong>{copied.dryRun ? 'The copy would be' : 'The copy is made'}</strong>
          <Facts
            facts={copied.copied.map(
              ({ what, count, there }) => [what, `${count} added, ${there} there already`] as const,
            )}
          />
          <ul>
            {copied.notCopied.map((told) => (
              <li key={told}>{told}</li>
            ))}
          </ul>
        </>
      )}
      <Refused error={copy.error} />
      {copied?.dryRun !== false && (
        <Button loading={copy.isPending} onClick={() => copy.mutate({ body: { ...body, dryRun: copied === null } })}>
          {copied === null ? 'Look at what would be copied' : `Copy ${partner.name}`}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={close}>
        Close
      </Button>
    </Stack>
  )
}
