import { useState } from 'react'
import type { AnswerOf, InputOf } from '../api/client.ts'
import { useChange, useRead } from '../api/queries.ts'
import { announce } from '../kit/announce.ts'
import { Asking } from '../kit/confirm.tsx'
import { Facts } from '../kit/facts.tsx'
import { Form, TextField } from '../kit/fields.tsx'
import { Loaded, Refused } from '../kit/loaded.tsx'
import { Section } from '../kit/page.tsx'
import { spanText, When } from '../kit/when.tsx'

type Advance = InputOf<'advanceSandboxClock'>['body']
type Advanced = AnswerOf<'advanceSandboxClock'>

const jumps: readonly (readonly [label: string, by: Advance])[] = [
  ['1 hour', { hours: 1 }],
  ['1 day', { days: 1 }],
  ['3 days', { days: 3 }],
]

/** The partner's clock, which only goes forward. */
export function Clock() {
  const clock = useRead('getSandboxClock', {}, { every: 60_000 })
  const [asked, setAsked] = useState<string>()
  const advance = useChange('advanceSandboxClock', ({ settled }) => announce(toldOf(settled)))
  const by = (label: string, body: Advance) => {
    if (advance.isPending) return
    setAsked(label)
    advance.mutate({ body })
  }
  return (
    <Section
      title="Your clock"
      says="What becomes due on the way happens in order: proofs, production, shipments, and their webhooks. Only a reset sets it back."
    >
      <Loaded query={clock}>
        {({ now, worldNow, aheadSeconds }) => (
          <Facts
            facts={[
              [
                'Your time',
                <strong key="now">
                  <When at={now} zone />
                </strong>,
              ],
              ['Ahead of the sandbox by', aheadSeconds < 1 ? 'Nothing' : spanText(aheadSeconds)],
              ['The sandbox’s own', <When key="world" at={worldNow} zone />],
            ]}
          />
        )}
      </Loaded>
      <div className="row" role="group" aria-label="Advance your clock by">
        {jumps.map(([label, body]) => (
          <button
            key={label}
            type="button"
            className="button"
            aria-label={`+ ${label}: advance your clock`}
            aria-disabled={advance.isPending}
            onClick={() => by(label, body)}
          >
            {advance.isPending && asked === label ? 'One moment…' : `+ ${label}`}
          </button>
        ))}
        <Asking label="Another time…" title="Advance your clock">
          {(close) => <Other close={close} />}
        </Asking>
      </div>
      <Refused error={advance.error} />
      {advance.data && <Told advanced={advance.data} />}
    </Section>
  )
}

const toldOf = (settled: boolean) =>
  settled ? 'All that was due has happened.' : 'The simulator is still working through what is due.'

function Told({ advanced: { now, settled } }: { advanced: Advanced }) {
  return (
    <p className="note" data-tone={settled ? 'good' : 'info'} role="status">
      It is <When at={now} zone /> for you now. {toldOf(settled)}
    </p>
  )
}

const units = [
  ['days', 'Days'],
  ['hours', 'Hours'],
  ['minutes', 'Minutes'],
] as const

function Other({ close }: { close: () => void }) {
  const [typed, setTyped] = useState({ days: '', hours: '', minutes: '' })
  const [isTried, setIsTried] = useState(false)
  const advance = useChange('advanceSandboxClock', ({ settled }) => {
    announce(toldOf(settled))
    close()
  })
  const given = units.map(([unit]) => [unit, typed[unit].trim()] as const).filter(([, text]) => text !== '')
  const isWhole = given.every(([, text]) => wholeForm.test(text))
  const body = Object.fromEntries(given.map(([unit, text]) => [unit, Number(text)]).filter(([, count]) => count !== 0))
  const isNothing = isWhole && Object.keys(body).length === 0
  const submit = () => {
    setIsTried(true)
    if (isWhole && !isNothing) advance.mutate({ body })
  }
  return (
    <Form
      submit="Advance the clock"
      isPending={advance.isPending}
      error={isTried && isNothing ? new Error('Say by how much.') : advance.error}
      onSubmit={submit}
      onCancel={close}
    >
      <div className="row">
        {units.map(([unit, label]) => (
          <TextField
            key={unit}
            label={label}
            inputMode="numeric"
            value={typed[unit]}
            onChange={(value) => setTyped({ ...typed, [unit]: value })}
            fault={
              isTried && typed[unit].trim() !== '' && !wholeForm.test(typed[unit].trim())
                ? 'A whole number, 0 or more.'
                : undefined
            }
          />
        ))}
      </div>
    </Form>
  )
}

const wholeForm = /^\d{1,7}$/
