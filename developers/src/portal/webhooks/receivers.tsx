import { useId, useState } from 'react'
import { At } from '../address.tsx'
import type { AnswerOf, InputOf } from '../api/client.ts'
import { eventTypes } from '../api/contract.gen.ts'
import { isRefusal } from '../api/problems.ts'
import { useChange, useList, useRead } from '../api/queries.ts'
import { announce } from '../kit/announce.ts'
import { Asking } from '../kit/confirm.tsx'
import { Copy } from '../kit/copy.tsx'
import { ChoiceField, Form, TextField } from '../kit/fields.tsx'
import { Empty, Failed, Loading, Refused } from '../kit/loaded.tsx'
import { Section } from '../kit/page.tsx'
import { inWords } from '../kit/words.ts'
import { EndpointState, Types } from './endpoints.tsx'

type Receiver = AnswerOf<'listReceivers'>['receivers'][number]
type EventType = (typeof eventTypes)[number]
type Secret = { url: string; secret: string }

/** The receivers of the sandbox, which partners manage themselves. */
export function Receivers() {
  const list = useList('listReceivers', 'receivers', {})
  const [secret, setSecret] = useState<Secret>()
  return (
    <Section
      title="Receivers"
      says="In the sandbox you manage these yourself. In production your contact does."
      actions={
        <Asking label="Register a receiver…" title="Register a receiver" className="button first">
          {(close) => (
            <Register
              close={close}
              onRegistered={({ url, secret: given }) => {
                if (given !== null) setSecret({ url, secret: given })
                close()
              }}
            />
          )}
        </Asking>
      }
    >
      {secret && <NewSecret {...secret} onSeen={() => setSecret(undefined)} />}
      {list.items.length === 0 && list.error && <Failed error={list.error} retry={list.readAnew} />}
      {list.isLoading && !list.error && <Loading />}
      {!list.isLoading && !list.error && list.items.length === 0 && (
        <Empty title="There is no receiver">
          Register the address of your server, or listen on your own machine with <code>partner-commerce listen</code>.
        </Empty>
      )}
      <ul className="cards wide">
        {list.items.map((receiver) => (
          <li key={receiver.receiverId} className="card">
            <ReceiverCard receiver={receiver} onSecret={setSecret} />
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <button type="button" className="button" onClick={list.readMore}>
          Show older ones
        </button>
      )}
    </Section>
  )
}

function ReceiverCard({ receiver, onSecret }: { receiver: Receiver; onSecret: (secret: Secret) => void }) {
  const { receiverId, url, types, signed, enabled, misbehaviour } = receiver
  const ping = useChange('pingReceiver', () => announce('The ping is on its way; see the deliveries'))
  const change = useChange('changeReceiver', (changed) =>
    announce(changed.enabled ? `${url} is enabled` : `${url} is disabled`),
  )
  return (
    <>
      <h3>
        <At page="webhooks" filters={{ endpointId: receiverId }} className="long">
          {url}
        </At>
      </h3>
      <p className="row">
        <EndpointState enabled={enabled} />
        <span className="soft">{signed ? 'Signed' : 'Not signed'}</span>
        {misbehaviour !== 'none' && (
          <span className="status" data-tone="warn">
            Goes wrong on purpose: {inWords(misbehaviour).toLowerCase()}
          </span>
        )}
      </p>
      <Types types={types} />
      <Refused error={ping.error ?? change.error} />
      {ping.data && (
        <p role="status" className="soft">
          Ping sent: delivery {ping.data.deliveryId}.
        </p>
      )}
      <div className="row">
        <button
          type="button"
          className="button small"
          aria-label={`Ping ${url}`}
          aria-disabled={ping.isPending}
          onClick={() => ping.mutate({ receiverId })}
        >
          Ping
        </button>
        <Asking label="Edit…" title="Edit the receiver" name={`Edit ${url}`} className="button small">
          {(close) => <Edit receiver={receiver} close={close} />}
        </Asking>
        <Asking label="Misbehave…" title="Let deliveries go wrong" name={`Misbehave ${url}`} className="button small">
          {(close) => <Misbehave receiver={receiver} close={close} />}
        </Asking>
        <button
          type="button"
          className="button small"
          aria-label={`${enabled ? 'Disable' : 'Enable'} ${url}`}
          onClick={() => change.mutate({ receiverId, body: { enabled: !enabled } })}
        >
          {enabled ? 'Disable' : 'Enable'}
        </button>
        {signed && (
          <Asking label="New secret…" title="A new secret" name={`New secret of ${url}`} className="button small">
            {(close) => (
              <Rotate
                receiver={receiver}
                close={close}
                onSecret={(given) => {
                  onSecret(given)
                  close()
                }}
              />
            )}
          </Asking>
        )}
        <Asking label="Delete…" title="Delete the receiver" name={`Delete ${url}`} className="button small">
          {(close) => <Remove receiver={receiver} close={close} />}
        </Asking>
      </div>
    </>
  )
}

function NewSecret({ url, secret, onSeen }: Secret & { onSeen: () => void }) {
  return (
    <section className="note" data-tone="good" aria-label="The secret">
      <p>
        <strong>The secret of {url}.</strong> It is shown only now; your server checks signatures with it.
      </p>
      <p>
        <code className="long">{secret}</code> <Copy text={secret} what="the secret" />
      </p>
      <button type="button" className="button" onClick={onSeen}>
        I have copied it
      </button>
    </section>
  )
}

function Register({
  close,
  onRegistered,
}: {
  close: () => void
  onRegistered: (registered: AnswerOf<'registerReceiver'>) => void
}) {
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<readonly string[]>([])
  const [signed, setSigned] = useState(true)
  const register = useChange('registerReceiver', onRegistered)
  return (
    <Form
      submit="Register the receiver"
      isPending={register.isPending}
      error={register.error}
      onSubmit={() =>
        register.mutate({
          body: { url: url.trim(), signed, ...(types.length > 0 && { types: types as EventType[] }) },
        })
      }
      onCancel={close}
    >
      <UrlField url={url} setUrl={setUrl} error={register.error} />
      <TypesField types={types} setTypes={setTypes} says="None chosen: all of them, but for proof.pending_review." />
      <label className="check">
        <input type="checkbox" checked={signed} onChange={(event) => setSigned(event.currentTarget.checked)} />
        Sign the deliveries
      </label>
    </Form>
  )
}

function Edit({ receiver, close }: { receiver: Receiver; close: () => void }) {
  const [url, setUrl] = useState(receiver.url)
  const [types, setTypes] = useState<readonly string[]>(receiver.types)
  const change = useChange('changeReceiver', () => {
    announce('The receiver is changed')
    close()
  })
  const input: InputOf<'changeReceiver'> = {
    receiverId: receiver.receiverId,
    body: { url: url.trim(), ...(types.length > 0 && { types: types as EventType[] }) },
  }
  return (
    <Form
      submit="Save"
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate(input)}
      onCancel={close}
    >
      <UrlField url={url} setUrl={setUrl} error={change.error} />
      <TypesField types={types} setTypes={setTypes} />
    </Form>
  )
}

function UrlField({ url, setUrl, error }: { url: string; setUrl: (url: string) => void; error: Error | null }) {
  return (
    <TextField
      label="URL"
      type="url"
      inputMode="url"
      value={url}
      onChange={setUrl}
      placeholder="https://hooks.example.com/orders"
      fault={isRefusal(error, 'receiver_url_not_usable') ? 'This URL cannot be used: see below.' : undefined}
    />
  )
}

function TypesField({
  types,
  setTypes,
  says,
}: {
  types: readonly string[]
  setTypes: (types: readonly string[]) => void
  says?: string
}) {
  const id = useId()
  return (
    <fieldset aria-describedby={says && id}>
      <legend>Events</legend>
      {says && (
        <p className="soft" id={id}>
          {says}
        </p>
      )}
      {eventTypes.map((type) => (
        <label key={type} className="check">
          <input
            type="checkbox"
            checked={types.includes(type)}
            onChange={({ currentTarget }) =>
              setTypes(currentTarget.checked ? [...types, type] : types.filter((each) => each !== type))
            }
          />
          <code>{type}</code>
        </label>
      ))}
    </fieldset>
  )
}

function Misbehave({ receiver, close }: { receiver: Receiver; close: () => void }) {
  const scenarios = useRead('listScenarios', {})
  const [chosen, setChosen] = useState<string>(receiver.misbehaviour)
  const set = useChange('setReceiverMisbehaviour', close)
  const offered = scenarios.data?.misbehaviours ?? []
  return (
    <Form
      submit="From now on"
      isPending={set.isPending}
      error={set.error ?? scenarios.error}
      onSubmit={() =>
        set.mutate({
          receiverId: receiver.receiverId,
          body: { misbehaviour: chosen as Receiver['misbehaviour'] },
        })
      }
      onCancel={close}
    >
      <ChoiceField
        label="What goes wrong"
        value={chosen}
        onChange={setChosen}
        choices={
          offered.length === 0
            ? [[chosen, inWords(chosen)]]
            : offered.map(({ misbehaviour }) => [misbehaviour, inWords(misbehaviour)])
        }
        says={offered.find(({ misbehaviour }) => misbehaviour === chosen)?.effect}
      />
    </Form>
  )
}

function Rotate({
  receiver: { receiverId, url },
  close,
  onSecret,
}: {
  receiver: Receiver
  close: () => void
  onSecret: (secret: Secret) => void
}) {
  const rotate = useChange('rotateReceiverSecret', ({ secret }) => onSecret({ url, secret }))
  return (
    <Form
      submit="Make a new secret"
      danger
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate({ receiverId })}
      onCancel={close}
    >
      <p>It replaces the old one at once: deliveries are signed with the new one from now on.</p>
    </Form>
  )
}

function Remove({ receiver: { receiverId, url }, close }: { receiver: Receiver; close: () => void }) {
  const remove = useChange('removeReceiver', () => {
    announce(`${url} was deleted`)
    close()
  })
  return (
    <Form
      submit="Delete the receiver"
      danger
      isPending={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate({ receiverId })}
      onCancel={close}
    >
      <p className="long">{url} and the log of its deliveries are removed. What waits for it is not sent any more.</p>
    </Form>
  )
}
