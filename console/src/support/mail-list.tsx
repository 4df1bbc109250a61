import { Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list, read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Beside } from '../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { FilterBar, FilterChoice, FilterText, queryFrom, useUrlState } from '../kit/filters.tsx'
import { Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { Json } from './submission-detail.tsx'
import { withChosen } from './with-chosen.ts'

type Mail = AnswerOf<'listMails'>['mails'][number]
type Bounced = AnswerOf<'listBouncedAddresses'>['addresses'][number]

const kinds = [
  'order_confirmation',
  'proof_waiting',
  'shipment_shipped',
  'invitation',
  'password_reset',
  'password_changed',
  'endpoint_failing',
  'certificate_ending',
  'quota_nearly_used',
]

const columns: readonly Column<Mail>[] = [
  { id: 'on', header: 'Written', width: 150, cell: ({ createdOn, siteId }) => <When at={createdOn} siteId={siteId} /> },
  { id: 'kind', header: 'Mail', cell: ({ kind, subject }) => subject ?? inWords(kind) },
  { id: 'to', header: 'To', hideBelow: 'sm', cell: ({ to }) => to },
  { id: 'status', header: 'Status', width: 100, cell: ({ status }) => <Status value={status} /> },
]

/** What was written to people in the last 90 days. */
export function MailList() {
  const environment = useEnvironment()
  const [state, set] = useUrlState()
  const query = queryFrom(state, ['kind', 'to', 'orderNumber', 'status']) as QueryOf<'listMails'>
  const mails = usePages(useInfiniteQuery(list(environment, 'listMails', { query })), 'mails')
  return (
    <>
      <FilterBar>
        <FilterChoice
          name="kind"
          label="Kind"
          width={190}
          data={kinds.map((value) => ({ value, label: inWords(value) }))}
        />
        <FilterChoice
          name="status"
          label="Status"
          data={['QUEUED', 'SENT', 'KEPT', 'FAILED'].map((value) => ({ value, label: inWords(value) }))}
        />
        <FilterText name="to" label="To this address" width={200} />
        <FilterText name="orderNumber" label="About order" width={120} />
      </FilterBar>
      <Beside
        title={state.chosen && 'Mail'}
        of={state.chosen}
        detail={state.chosen && <MailDetail key={state.chosen} mailId={state.chosen} />}
        onClose={() => set({ chosen: undefined })}
      >
        <DataTable
          label="Mails"
          query={mails}
          columns={columns}
          rowKey={({ mailId }) => mailId}
          linkOf={({ mailId }) => withChosen(state, mailId)}
          current={state.chosen}
          empty={<Empty title="No mail matches">Mails are kept for 90 days.</Empty>}
        />
      </Beside>
    </>
  )
}

export function MailDetail({ mailId }: { mailId: string }) {
  const [isSent, setIsSent] = useState(false)
  const mail = useQuery(read(useEnvironment(), 'readMail', { path: { mailId } }))
  return (
    <Loaded query={mail}>
      {(told) => (
        <>
          <Facts
            facts={[
              ['Status', <Status key="status" value={told.status} />],
              ...(told.reason
                ? ([['Why', [inWords(told.reason), told.reasonDetail].filter(Boolean).join(': ')]] as const)
                : []),
              ['To', told.to],
              ['Subject', told.subject],
              [
                'Order',
                told.orderNumber && (
                  <At key="order" to={`/orders/${told.orderNumber}`}>
                    {told.orderNumber}
                  </At>
                ),
              ],
              ['Written', <When key="written" at={told.createdOn} siteId={told.siteId} />],
              ['Attempts', told.attempts],
            ]}
          />
          <Verbs
            verbs={[
              asking(
                'sendMailAgain',
                'Send one more…',
                (close) => <SendAgain mailId={mailId} to={told.to} close={close} onDone={() => setIsSent(true)} />,
                { quiet: true },
              ),
            ]}
          />
          {isSent && (
            <Text size="sm" role="status">
              One more is on its way to {told.to}.
            </Text>
          )}
          <Section title="Text">
            {told.text === null ? (
              <p>It is written when it is sent. Links that let people in are shown to nobody.</p>
            ) : (
              <Json value={told.text} />
            )}
          </Section>
        </>
      )}
    </Loaded>
  )
}

function SendAgain({
  mailId,
  to,
  close,
  onDone,
}: {
  mailId: string
  to: string
  close: () => void
  onDone: () => void
}) {
  const form = useForm('sendMailAgain', {
    initial: {},
    input: () => ({ path: { mailId } }),
    onDone: () => {
      onDone()
      close()
    },
  })
  return (
    <Form form={form} submit={`Send it to ${to}`} onCancel={close}>
      <Text size="sm">The same mail goes out once more, written from what is true now.</Text>
    </Form>
  )
}

/** Addresses to which nothing is sent, because a mail to them came back. */
export function BouncedList() {
  const environment = useEnvironment()
  const bounced = useInfiniteQuery(list(environment, 'listBouncedAddresses', {}))
  return (
    <PageBody>
      <Section
        title="Addresses that refuse mail"
        actions={
          <Verbs
            verbs={[
              asking('noteBouncedAddress', 'Note an address…', (close) => <Note close={close} />, { quiet: true }),
            ]}
          />
        }
      >
        <Loaded query={bounced}>
          {({ pages }) => {
            const all: Bounced[] = pages.flatMap((page) => page.addresses)
            if (all.length === 0)
              return (
                <Empty title="Every address takes mail">An address that refuses mail for good is noted here.</Empty>
              )
            return (
              <DataTable
                label="Addresses"
                fit
                rows={all}
                rowKey={({ bouncedAddressId }) => String(bouncedAddressId)}
                empty={null}
                columns={[
                  { id: 'email', header: 'Address', cell: ({ email }) => email },
                  { id: 'reason', header: 'What the mail server said', cell: ({ reason }) => reason },
                  { id: 'on', header: 'Noted', width: 140, cell: ({ notedOn }) => <When at={notedOn} /> },
                  {
                    id: 'clear',
                    header: 'Verb',
                    width: 160,
                    cell: ({ bouncedAddressId }) => (
                      <Verbs
                        verbs={[
                          verb(
                            'clearBouncedAddress',
                            'Let mail go there',
                            { path: { bouncedAddressId } },
                            { quiet: true },
                          ),
                        ]}
                      />
                    ),
                  },
                ]}
              />
            )
          }}
        </Loaded>
      </Section>
    </PageBody>
  )
}

function Note({ close }: { close: () => void }) {
  const form = useForm('noteBouncedAddress', {
    initial: { email: '', reason: '' },
    input: (values) => ({ body: values }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Note the address" onCancel={close}>
      <TextField form={form} name="email" label="Address" required inputMode="email" />
      <TextField form={form} name="reason" label="Why" required />
    </Form>
  )
}
