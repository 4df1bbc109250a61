import { Breadcrumbs } from '@mantine/core'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Section } from '../kit/section.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { useSite } from '../shell/sites.ts'
import { Active } from './active.tsx'
import { CreditList } from './credit-list.tsx'
import { AddressFields, addressBody, addressValues } from './division-address.tsx'
import { useDivisionChoices } from './divisions-of-site.ts'
import { changesOf } from './texts.ts'
import { UserList } from './user-list.tsx'

type Division = AnswerOf<'readDivision'>

/** A division: where it stands in the tree, its address, its people and its credit. */
export function DivisionView({ division }: { division: Division }) {
  const may = useMay()
  const site = useSite(division.siteId)
  const path = { divisionId: division.divisionId }
  return (
    <>
      <PageHead
        title={division.name}
        status={<Active is={division.active} />}
        above={
          <Breadcrumbs separator="›" mb={2} separatorMargin={6}>
            <At to="/customers?tab=divisions">Divisions</At>
            {division.above.map(({ divisionId, name }) => (
              <At key={divisionId} to={`/customers/divisions/${divisionId}`}>
                {name}
              </At>
            ))}
          </Breadcrumbs>
        }
        about={
          <>
            Division {division.code} of{' '}
            <At to={`/sites/${division.siteId}`}>{site?.name ?? `site ${division.siteId}`}</At>
          </>
        }
        actions={
          <Verbs
            first={division.active ? 0 : 1}
            verbs={[
              verb('updateDivision', 'Activate', { path, body: { active: true } }, { hidden: division.active }),
              verb(
                'updateDivision',
                `Deactivate ${division.name}`,
                { path, body: { active: false } },
                {
                  danger: true,
                  hidden: !division.active,
                },
              ),
            ]}
          />
        }
      />
      <PageBody
        aside={
          <>
            <Section title="Users">
              <UserList divisionId={division.divisionId} fit />
            </Section>
            {may('listCreditAccounts') && (
              <Section title="Credit">
                <CreditList of={path} fit />
              </Section>
            )}
          </>
        }
      >
        <Section title="What it is">
          {may('updateDivision') ? <DivisionForm division={division} /> : <DivisionFacts division={division} />}
        </Section>
        {site?.storesDivisionAddresses && (
          <Section title="Address">
            {may('setDivisionAddress') ? <AddressForm division={division} /> : <AddressFacts division={division} />}
          </Section>
        )}
      </PageBody>
    </>
  )
}

function DivisionForm({ division }: { division: Division }) {
  const divisions = useDivisionChoices(division.siteId)
  const form = useForm('updateDivision', {
    initial: {
      name: division.name,
      code: division.code,
      parentId: division.parentId === null ? '' : String(division.parentId),
      taxExempt: division.taxExempt,
      auditSalesTaxForTerms: division.auditSalesTaxForTerms,
    },
    revision: revisionOf(division),
    input: ({ parentId, ...rest }) => ({
      path: { divisionId: division.divisionId },
      body: changesOf(division, { ...rest, parentId: parentId ? Number(parentId) : null }),
    }),
  })
  return (
    <Form form={form} submit="Save the division">
      <TextField form={form} name="name" label="Name" required />
      <TextField form={form} name="code" label="Code" required />
      <ChoiceField
        form={form}
        name="parentId"
        label="Below"
        description="Another division moves it there with all below it; none puts it at the top."
        data={divisions.filter(({ value }) => value !== String(division.divisionId))}
        clearable
        searchable
      />
      <FlagField form={form} name="taxExempt" label="Pays no tax" />
      <FlagField form={form} name="auditSalesTaxForTerms" label="Sales tax is audited for terms" />
    </Form>
  )
}

function DivisionFacts({ division }: { division: Division }) {
  return (
    <Facts
      facts={[
        ['Code', division.code],
        ['Pays no tax', division.taxExempt ? 'Yes' : 'No'],
        ['Users', division.usersInIt],
        ['Divisions below', division.divisionsBelow],
      ]}
    />
  )
}

function AddressForm({ division }: { division: Division }) {
  const form = useForm('setDivisionAddress', {
    initial: addressValues(division.address),
    revision: revisionOf(division),
    input: (values) => ({ path: { divisionId: division.divisionId }, body: addressBody(values) }),
  })
  return (
    <Form form={form} submit="Save the address">
      <AddressFields form={form} />
    </Form>
  )
}

function AddressFacts({ division: { address } }: { division: Division }) {
  const text = Object.values(addressValues(address)).filter(Boolean)
  return <p>{text.length === 0 ? 'None is kept.' : text.join(', ')}</p>
}
