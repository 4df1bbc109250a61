import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { list } from '../../api/queries.ts'
import { useMay, useSession } from '../../api/session.ts'
import { Beside } from '../../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Facts } from '../../kit/facts.tsx'
import { useUrlState } from '../../kit/filters.tsx'
import { Form, SecretField, TextField, useForm } from '../../kit/form.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Section } from '../../kit/section.tsx'
import { inWords, Status } from '../../kit/status.tsx'
import { asking, verb, Verbs } from '../../kit/verbs.tsx'
import { When } from '../../kit/when.tsx'
import { RoleChoice } from '../../staff/role-choice.tsx'
import type { Role } from '../../staff/roles.ts'

export const Route = createFileRoute('/$environment/staff')({ component: StaffPage })

type Account = AnswerOf<'listStaffAccounts'>['accounts'][number]

const columns: readonly Column<Account>[] = [
  { id: 'username', header: 'Username', cell: ({ username }) => username },
  {
    id: 'state',
    header: 'State',
    width: 110,
    cell: ({ disabledOn }) => <Status value={disabledOn === null ? 'ACTIVE' : 'DISABLED'} />,
  },
  { id: 'roles', header: 'Roles', hideBelow: 'sm', cell: ({ roles }) => roles.map(inWords).join(', ') },
  {
    id: 'password',
    header: 'Password set',
    width: 140,
    hideBelow: 'md',
    cell: ({ passwordSetOn }) => <When at={passwordSetOn} short />,
  },
  {
    id: 'created',
    header: 'Created',
    width: 140,
    hideBelow: 'md',
    cell: ({ createdOn }) => <When at={createdOn} short />,
  },
]

/** Accounts are those of production; they let people into both environments. */
function StaffPage() {
  const may = useMay()
  const [state, set] = useUrlState()
  const accounts = usePages(useInfiniteQuery(list('production', 'listStaffAccounts', {})), 'accounts')
  const chosen = accounts.rows?.find(({ staffId }) => staffId === state.account)
  const isNew = state.account === 'new' && may('createStaffAccount')
  const close = () => set({ account: undefined })
  return (
    <>
      <PageHead
        title="Staff"
        about="Accounts let people into production and the sandbox alike."
        actions={may('createStaffAccount') && <Button onClick={() => set({ account: 'new' })}>New account</Button>}
      />
      <Beside
        title={isNew ? 'New account' : chosen?.username}
        detail={
          isNew ? (
            <NewAccount onDone={({ staffId }) => set({ account: staffId })} onCancel={close} />
          ) : (
            chosen && <AccountDetail key={chosen.staffId} account={chosen} />
          )
        }
        onClose={close}
      >
        <DataTable
          label="Accounts"
          query={accounts}
          columns={columns}
          rowKey={({ staffId }) => staffId}
          linkOf={({ staffId }) => `/staff?account=${staffId}`}
          current={chosen?.staffId}
          empty={<Empty title="There are no accounts">Make one with the button above.</Empty>}
        />
      </Beside>
    </>
  )
}

function NewAccount({ onDone, onCancel }: { onDone: (account: Account) => void; onCancel: () => void }) {
  const form = useForm('createStaffAccount', {
    initial: { username: '', password: '', roles: [] as readonly Role[] },
    input: ({ username, password, roles }) => ({ body: { username, password, roles: [...roles] } }),
    onDone,
  })
  return (
    <Form form={form} submit="Create account" onCancel={onCancel}>
      <TextField form={form} name="username" label="Username" required autoFocus />
      <SecretField
        form={form}
        name="password"
        label="First password"
        required
        description="Tell it to the person; they change it under “Your account”."
      />
      <RoleChoice form={form} />
    </Form>
  )
}

function AccountDetail({ account }: { account: Account }) {
  const { staffId, username, roles, disabledOn } = account
  const session = useSession()
  const may = useMay()
  const isOwn = session.staffId === staffId
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          ['State', <Status key="state" value={disabledOn === null ? 'ACTIVE' : 'DISABLED'} />],
          ['Roles', roles.map(inWords).join(', ')],
          ['Created', <When key="created" at={account.createdOn} />],
          ['Password set', <When key="password" at={account.passwordSetOn} />],
          ...(disabledOn === null ? [] : ([['Disabled', <When key="disabled" at={disabledOn} />]] as const)),
        ]}
      />
      <Verbs
        first={2}
        verbs={[
          asking('setStaffPassword', 'Set password…', (close) => <NewPassword account={account} close={close} />),
          verb('enableStaffAccount', `Enable ${username}`, { path: { staffId } }, { hidden: disabledOn === null }),
          asking(
            'disableStaffAccount',
            'Disable…',
            (close) => <Disabling account={account} isOwn={isOwn} close={close} />,
            { danger: true, hidden: disabledOn !== null },
          ),
        ]}
      />
      {may('setStaffRoles') && (
        <Section title="Roles">
          <RolesOf key={roles.join()} account={account} isOwn={isOwn} />
        </Section>
      )}
    </Stack>
  )
}

function RolesOf({ account, isOwn }: { account: Account; isOwn: boolean }) {
  const form = useForm('setStaffRoles', {
    initial: { roles: account.roles as readonly Role[] },
    input: ({ roles }) => ({ path: { staffId: account.staffId }, body: { roles: [...roles] } }),
  })
  const [isUnderstood, setIsUnderstood] = useState(false)
  const losesOwn = isOwn && account.roles.includes('ADMIN') && !form.values.roles.includes('ADMIN')
  return (
    <Form
      form={{ ...form, submit: losesOwn && !isUnderstood ? () => setIsUnderstood(true) : form.submit }}
      submit={losesOwn && isUnderstood ? 'Give up my own ADMIN role' : 'Save roles'}
      danger={losesOwn}
    >
      <RoleChoice form={form} />
      {losesOwn && (
        <Text size="sm" c="var(--bad)" role="status">
          This is your own account. Without the role Admin you can no longer change accounts, this one included.
        </Text>
      )}
    </Form>
  )
}

function NewPassword({ account, close }: { account: Account; close: () => void }) {
  const form = useForm('setStaffPassword', {
    initial: { password: '' },
    input: ({ password }) => ({ path: { staffId: account.staffId }, body: { password } }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Set the password of ${account.username}`} onCancel={close}>
      <SecretField
        form={form}
        name="password"
        label="New password"
        required
        description="Ends the sessions of the account."
      />
    </Form>
  )
}

function Disabling({ account, isOwn, close }: { account: Account; isOwn: boolean; close: () => void }) {
  const form = useForm('disableStaffAccount', {
    initial: {},
    input: () => ({ path: { staffId: account.staffId } }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Disable ${account.username}`} danger onCancel={close}>
      <Text size="sm">
        {isOwn
          ? 'This is your own account: you are signed out at once, and cannot sign in again until somebody enables it.'
          : 'The person is signed out at once, and cannot sign in until somebody enables the account.'}
      </Text>
    </Form>
  )
}
