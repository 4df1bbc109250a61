import { revisionOf, type AnswerOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Section } from '../kit/section.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useSite } from '../shell/sites.ts'
import { Active } from './active.tsx'
import { CreditList } from './credit-list.tsx'
import { useDivisionChoices } from './divisions-of-site.ts'
import { DivisionName } from './names.tsx'
import { changesOf, nameOf, orNull } from './texts.ts'
import { UserAddresses } from './user-addresses.tsx'
import { UserOrders } from './user-orders.tsx'
import { UserDiscount, UserSegments } from './user-terms.tsx'

export type User = AnswerOf<'readUser'>

/** A user of a shop site: who it is, what the user sees and pays, where goods go, and what was ordered. */
export function UserView({ user }: { user: User }) {
  const may = useMay()
  const site = useSite(user.siteId)
  const path = { userId: user.userId }
  return (
    <>
      <PageHead
        title={nameOf(user)}
        above={<At to="/customers">Users</At>}
        status={<Active is={user.active} />}
        about={
          <>
            User {user.userId} of <At to={`/sites/${user.siteId}`}>{site?.name ?? `site ${user.siteId}`}</At>
            {user.isOrderingUser && ' · the user for whom partners order there'}
          </>
        }
        actions={
          <Verbs
            first={user.active ? 0 : 1}
            verbs={[
              verb('updateUser', 'Activate', { path, body: { active: true } }, { hidden: user.active }),
              verb(
                'updateUser',
                `Deactivate ${nameOf(user)}`,
                { path, body: { active: false } },
                {
                  danger: true,
                  hidden: !user.active,
                },
              ),
            ]}
          />
        }
      />
      <PageBody
        aside={
          <>
            <UserSegments user={user} />
            <UserDiscount user={user} />
            <UserAddresses userId={user.userId} />
            {may('listCreditAccounts') && (
              <Section title="Credit">
                <CreditList of={path} fit />
              </Section>
            )}
          </>
        }
      >
        <Section title="Who it is">{may('updateUser') ? <UserForm user={user} /> : <UserFacts user={user} />}</Section>
        {may('listOrders') && <UserOrders userId={user.userId} />}
        <Section title="Dates">
          <Facts
            facts={[
              ['Created', <When key="created" at={user.createdOn} />],
              ['Changed', <When key="changed" at={user.updatedOn} />],
              ['Last sign-in', <When key="signin" at={user.lastSigninOn} />],
            ]}
          />
        </Section>
      </PageBody>
    </>
  )
}

function UserForm({ user }: { user: User }) {
  const divisions = useDivisionChoices(user.siteId)
  const form = useForm('updateUser', {
    initial: {
      firstName: user.firstName ?? '',
      lastName: user.lastName ?? '',
      email: user.email ?? '',
      company: user.company ?? '',
      phone: user.phone ?? '',
      divisionId: user.divisionId === null ? '' : String(user.divisionId),
      ordersRequireApproval: user.ordersRequireApproval,
      allSegmentsVisible: user.allSegmentsVisible,
      taxExempt: user.taxExempt,
    },
    revision: revisionOf(user),
    input: ({ firstName, lastName, email, company, phone, divisionId, ...flags }) => ({
      path: { userId: user.userId },
      body: changesOf(user, {
        ...flags,
        ...(firstName && { firstName }),
        ...(lastName && { lastName }),
        ...(email && { email }),
        company: orNull(company),
        phone: orNull(phone),
        divisionId: divisionId ? Number(divisionId) : null,
      }),
    }),
  })
  return (
    <Form form={form} submit="Save the user">
      <TextField form={form} name="firstName" label="First name" />
      <TextField form={form} name="lastName" label="Last name" />
      <TextField form={form} name="email" label="E-mail" inputMode="email" />
      <TextField form={form} name="company" label="Company" />
      <TextField form={form} name="phone" label="Telephone" />
      <ChoiceField form={form} name="divisionId" label="Division" data={divisions} clearable searchable />
      <FlagField form={form} name="ordersRequireApproval" label="Orders need approval" />
      <FlagField form={form} name="allSegmentsVisible" label="Sees the products of all segments" />
      <FlagField form={form} name="taxExempt" label="Pays no tax" />
    </Form>
  )
}

function UserFacts({ user }: { user: User }) {
  const yes = (is: boolean) => (is ? 'Yes' : 'No')
  return (
    <Facts
      facts={[
        ['Username', user.username],
        ['E-mail', user.email],
        ['Company', user.company],
        ['Telephone', user.phone],
        [
          'Division',
          user.divisionId === null ? null : (
            <At key="division" to={`/customers/divisions/${user.divisionId}`}>
              <DivisionName divisionId={user.divisionId} />
            </At>
          ),
        ],
        ['Orders need approval', yes(user.ordersRequireApproval)],
        ['Sees all segments', yes(user.allSegmentsVisible)],
        ['Pays no tax', yes(user.taxExempt)],
      ]}
    />
  )
}
