import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createFileRoute } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { Facts } from '../../kit/facts.tsx'
import { Form, SecretField, useForm } from '../../kit/form.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Section } from '../../kit/section.tsx'
import { inWords } from '../../kit/status.tsx'
import { When } from '../../kit/when.tsx'
import classes from '../../staff/account.module.css'
import { bySubject, roleMeanings } from '../../staff/roles.ts'

export const Route = createFileRoute('/$environment/account')({ component: AccountPage })

function AccountPage() {
  const { username, roles, permissions, endsOn } = useSession()
  return (
    <>
      <PageHead title="Your account" about={username} />
      <div className={classes.page}>
        <Section title="Session">
          <Facts
            facts={[
              ['Signed in as', username],
              ['Ends', <When key="ends" at={endsOn} />],
            ]}
          />
          <Text size="xs" c="dimmed" mt={4}>
            An hour without a request ends it earlier.
          </Text>
        </Section>
        <Section title="What you may do">
          <Facts facts={roles.map((role) => [inWords(role), roleMeanings[role]] as const)} />
          <Text size="sm" mt="sm" mb={4}>
            In detail:
          </Text>
          <Facts facts={bySubject(permissions).map(([subject, may]) => [inWords(subject), may.join(', ')] as const)} />
        </Section>
        <Section title="Password">
          <Password />
        </Section>
      </div>
    </>
  )
}

function Password() {
  const form = useForm('changeOwnPassword', {
    initial: { currentPassword: '', newPassword: '' },
    input: (values) => ({ body: values }),
    onDone: () => {
      form.reset()
      notifications.show({ message: 'Your password is changed, and your other sessions are ended.' })
    },
  })
  return (
    <Form form={form} submit="Change password">
      <SecretField form={form} name="currentPassword" label="Current password" required />
      <SecretField
        form={form}
        name="newPassword"
        label="New password"
        required
        description="Long and unlike others: several words are good."
      />
    </Form>
  )
}
