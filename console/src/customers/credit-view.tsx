import { useInfiniteQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { Money, moneyText } from '../kit/money.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Section } from '../kit/section.tsx'
import { inWords } from '../kit/status.tsx'
import { asking, Verbs, verb } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite } from '../shell/sites.ts'
import { CreditState, Holder, nameOfCredit } from './credit-list.tsx'
import { MoveCredit } from './move-credit.tsx'
import { changesOf } from './texts.ts'

export type Account = AnswerOf<'readCreditAccount'>

/** A credit account as a ledger: what came, what went, and what was left each time. */
export function CreditView({ account }: { account: Account }) {
  const may = useMay()
  const site = useSite(account.siteId)
  const path = { creditAccountId: account.creditAccountId }
  const name = nameOfCredit(account)
  return (
    <>
      <PageHead
        title={name}
        above={<At to="/customers?tab=credit">Credit</At>}
        status={<CreditState account={account} />}
        about={
          <>
            Credit {account.creditAccountId} of{' '}
            {account.userId === null ? (
              <At to={`/customers/divisions/${account.divisionId}`}>
                <Holder account={account} />
              </At>
            ) : (
              <At to={`/customers/${account.userId}`}>
                <Holder account={account} />
              </At>
            )}
          </>
        }
        actions={
          <Verbs
            verbs={[
              asking(
                'moveCredit',
                'Move credit…',
                (close) => <MoveCredit account={account} currency={site?.currency} close={close} />,
                { hidden: !account.active },
              ),
              verb(
                'setCreditAccountActive',
                `Activate ${name}`,
                { path, body: { active: true } },
                {
                  hidden: account.active,
                },
              ),
              verb(
                'setCreditAccountActive',
                `Deactivate ${name}`,
                { path, body: { active: false } },
                {
                  danger: true,
                  hidden: !account.active,
                },
              ),
            ]}
          />
        }
      />
      <PageBody
        aside={
          <Section title="Ledger">
            <Ledger creditAccountId={account.creditAccountId} currency={site?.currency} />
          </Section>
        }
      >
        <Section title="Balance">
          <Facts
            facts={[
              ['Balance', <strong key="balance">{told(account.currentBalance, site?.currency)}</strong>],
              ['Opened with', told(account.amount, site?.currency)],
              ['Opened', <When key="issued" at={account.issuedOn} />],
            ]}
          />
        </Section>
        <Section title="Terms">
          {may('changeCreditTerms') ? <Terms account={account} /> : <TermFacts account={account} />}
        </Section>
      </PageBody>
    </>
  )
}

const told = (amount: string, currency: string | undefined) =>
  currency === undefined ? amount : moneyText(amount, currency)

const charges = [
  ['shippingApplicable', 'Delivery draws on it'],
  ['handlingApplicable', 'Handling draws on it'],
  ['taxApplicable', 'Tax draws on it'],
] as const

const ways = [
  { value: '', label: 'Not set, so it does' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]
const flagOf = (text: string) => (text === '' ? null : text === 'true')

function Terms({ account }: { account: Account }) {
  const form = useForm('changeCreditTerms', {
    initial: {
      startsOn: dayOf(account.startsOn),
      stopsOn: dayOf(account.stopsOn),
      shippingApplicable: String(account.shippingApplicable ?? ''),
      handlingApplicable: String(account.handlingApplicable ?? ''),
      taxApplicable: String(account.taxApplicable ?? ''),
    },
    revision: revisionOf(account),
    input: ({ startsOn, stopsOn, shippingApplicable, handlingApplicable, taxApplicable }) => ({
      path: { creditAccountId: account.creditAccountId },
      body: changesOf(account, {
        startsOn: instantOf(startsOn, account.startsOn),
        stopsOn: instantOf(stopsOn, account.stopsOn),
        shippingApplicable: flagOf(shippingApplicable),
        handlingApplicable: flagOf(handlingApplicable),
        taxApplicable: flagOf(taxApplicable),
      }),
    }),
  })
  return (
    <Form form={form} submit="Save the terms">
      <TextField form={form} name="startsOn" label="Starts (UTC)" type="date" />
      <TextField form={form} name="stopsOn" label="Ends (UTC)" type="date" />
      {charges.map(([name, label]) => (
        <ChoiceField key={name} form={form} name={name} label={label} data={ways} />
      ))}
    </Form>
  )
}

/** An instant that was not edited stays as it is, with its hour. */
function dayOf(instant: string | null): string {
  return instant === null ? '' : instant.slice(0, 10)
}
function instantOf(day: string, before: string | null): string | null {
  if (day === dayOf(before)) return before
  return day.trim() === '' ? null : `${day.trim()}T00:00:00.000Z`
}

function TermFacts({ account }: { account: Account }) {
  return (
    <Facts
      facts={[
        ['Starts', <When key="starts" at={account.startsOn} />],
        ['Ends', <When key="ends" at={account.stopsOn} />],
        ...charges.map(([name, label]) => [label, account[name] === false ? 'No' : 'Yes'] as const),
      ]}
    />
  )
}

type Movement = AnswerOf<'listCreditAdjustments'>['adjustments'][number]

function Ledger({ creditAccountId, currency }: { creditAccountId: number; currency: string | undefined }) {
  const environment = useEnvironment()
  const input = { path: { creditAccountId } }
  const movements = usePages(
    useInfiniteQuery(list(environment, 'listCreditAdjustments', input, { live: ['order'], limit: 50 })),
    'adjustments',
  )
  const columns: readonly Column<Movement>[] = [
    { id: 'when', header: 'When', width: 120, cell: ({ createdOn }) => <When at={createdOn} /> },
    { id: 'type', header: 'What', cell: ({ type }) => inWords(type) },
    { id: 'why', header: 'Why', hideBelow: 'sm', cell: (movement) => <Why movement={movement} /> },
    {
      id: 'amount',
      header: 'Moved',
      align: 'end',
      width: 110,
      cell: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'balance',
      header: 'Balance',
      align: 'end',
      width: 110,
      cell: ({ balanceAfter }) => <Money amount={balanceAfter} currency={currency} />,
    },
  ]
  return (
    <DataTable
      label="Movements"
      fit
      query={movements}
      columns={columns}
      rowKey={({ adjustmentId }) => String(adjustmentId)}
      empty={<p>Nothing moved yet.</p>}
    />
  )
}

function Why({ movement: { orderNumber, note, reference } }: { movement: Movement }) {
  const words = [note, reference].filter(Boolean).join(' · ')
  return (
    <span title={words || undefined}>
      {orderNumber !== null && <At to={`/orders/${orderNumber}`}>Order {orderNumber}</At>}
      {orderNumber !== null && words && ' · '}
      {words}
      {orderNumber === null && !words && '–'}
    </span>
  )
}
