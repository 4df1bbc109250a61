import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Empty } from '../kit/empty.tsx'
import { FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Partner } from './partner.ts'
import classes from './partners.module.css'
import { Secret } from './secret.tsx'

type Invited = AnswerOf<'invitePerson'>
type Person = AnswerOf<'listPeople'>['people'][number]

/** The partner's people, who sign in themselves. */
export function People({ partner }: { partner: Partner }) {
  const may = useMay()
  const [invited, setInvited] = useState<Invited | null>(null)
  const people = useInfiniteQuery(list(useEnvironment(), 'listPeople', { path: { partnerId: partner.partnerId } }))
  return (
    <PageBody aside={may('setPartnerSecondFactor') && <SecondFactor partner={partner} />}>
      <Section
        title="People"
        actions={
          <Verbs
            verbs={[
              asking('invitePerson', 'Invite somebody…', (close) => (
                <Invite partner={partner} close={close} onInvited={setInvited} />
              )),
            ]}
          />
        }
      >
        {invited && (
          <Secret
            title="The invitation"
            values={[['Link', invited.invitationUrl]]}
            warning="Whoever opens the link sets the password of the account. It was mailed, too, if an address was given."
          />
        )}
        <Loaded query={people}>
          {({ pages }) => {
            const all = pages.flatMap((page) => page.people)
            return all.length === 0 ? (
              <Empty title="Nobody of this partner signs in">Invite the person who looks after the integration.</Empty>
            ) : (
              <ul className={classes.list}>
                {all.map((person) => (
                  <OnePerson key={person.personId} person={person} onInvited={setInvited} />
                ))}
              </ul>
            )
          }}
        </Loaded>
      </Section>
    </PageBody>
  )
}

const tones = { invited: 'info', active: 'good', disabled: 'bad' } as const

function OnePerson({ person, onInvited }: { person: Person; onInvited: (invited: Invited) => void }) {
  const path = { personId: person.personId }
  return (
    <li>
      <div>
        <strong dir="auto">{person.username}</strong> {person.email}{' '}
        <Status value={person.status} label={inWords(person.status)} tone={tones[person.status]} />
        <div className={classes.soft}>
          {person.hasSecondFactor ? 'Has a second factor' : 'No second factor'} ·{' '}
          {person.lastSignedInOn ? (
            <>
              signed in <When at={person.lastSignedInOn} />
            </>
          ) : (
            'never signed in'
          )}
          {person.invitationExpiresOn && (
            <>
              {' '}
              · invitation ends <When at={person.invitationExpiresOn} />
            </>
          )}
        </div>
      </div>
      <Verbs
        label={`More for ${person.username}`}
        first={person.status === 'invited' ? 1 : 0}
        verbs={[
          asking(
            'inviteAgain',
            'Invite again…',
            (close) => <InviteAgain person={person} close={close} onInvited={onInvited} />,
            { hidden: person.status !== 'invited', quiet: true },
          ),
          verb('enablePerson', 'Enable', { path }, { hidden: person.status !== 'disabled' }),
          verb('resetSecondFactor', 'Reset the second factor', { path }, { hidden: !person.hasSecondFactor }),
          verb(
            'disablePerson',
            `Disable ${person.username}`,
            { path },
            { hidden: person.status === 'disabled', danger: true },
          ),
        ]}
      />
    </li>
  )
}

function Invite({
  partner,
  close,
  onInvited,
}: {
  partner: Partner
  close: () => void
  onInvited: (invited: Invited) => void
}) {
  const form = useForm('invitePerson', {
    initial: { username: '', email: '' },
    input: ({ username, email }) => ({
      path: { partnerId: partner.partnerId },
      body: { username, email: email.trim() || null },
    }),
    onDone: (invited) => {
      onInvited(invited)
      close()
    },
  })
  return (
    <Form form={form} submit="Invite" onCancel={close}>
      <TextField form={form} name="username" label="Username" required />
      <TextField
        form={form}
        name="email"
        label="E-mail"
        inputMode="email"
        description="The invitation is mailed there."
      />
    </Form>
  )
}

function InviteAgain({
  person,
  close,
  onInvited,
}: {
  person: Person
  close: () => void
  onInvited: (invited: Invited) => void
}) {
  const form = useForm('inviteAgain', {
    initial: {},
    input: () => ({ path: { personId: person.personId } }),
    onDone: (invited) => {
      onInvited(invited)
      close()
    },
  })
  return (
    <Form form={form} submit={`Invite ${person.username} again`} onCancel={close}>
      <Text size="sm">The earlier link ends.</Text>
    </Form>
  )
}

function SecondFactor({ partner }: { partner: Partner }) {
  const form = useForm('setPartnerSecondFactor', {
    initial: { required: partner.secondFactorRequired as boolean },
    input: ({ required }) => ({ path: { partnerId: partner.partnerId }, body: { required } }),
  })
  return (
    <Section title="Second factor">
      <Form form={form} submit="Save">
        <FlagField form={form} name="required" label="Everybody of this partner needs one" />
      </Form>
    </Section>
  )
}
