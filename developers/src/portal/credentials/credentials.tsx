import { useState } from 'react'
import type { AnswerOf } from '../api/client.ts'
import { useChange, useList } from '../api/queries.ts'
import { useEnvironment } from '../environment.ts'
import { announce } from '../kit/announce.ts'
import { Asking } from '../kit/confirm.tsx'
import { Copy } from '../kit/copy.tsx'
import { Form, TextField } from '../kit/fields.tsx'
import { Empty } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { Status, type Tone } from '../kit/status.tsx'
import { Table } from '../kit/table.tsx'
import { When, zoneName } from '../kit/when.tsx'
import { countOf } from '../kit/words.ts'

type Credential = AnswerOf<'listCredentials'>['credentials'][number]
type Created = AnswerOf<'createSandboxClient'>

const day = 86_400_000

/** How near the end of a credential is. */
export function expiryOf({ status, expiresOn }: Pick<Credential, 'status' | 'expiresOn'>): {
  tone: Tone
  label: string
} {
  if (status === 'EXPIRED') return { tone: 'bad', label: 'Expired' }
  if (status === 'NOT_YET_VALID') return { tone: 'warn', label: 'Not valid yet' }
  if (status === 'EXPIRING' && expiresOn !== null) {
    const days = Math.max(0, Math.floor((Date.parse(expiresOn) - Date.now()) / day))
    return { tone: 'warn', label: days === 0 ? 'Ends today' : `Ends in ${countOf(days, 'day')}` }
  }
  return { tone: 'good', label: 'Good' }
}

/** By what the partner's programs authenticate. */
export function Credentials() {
  const isSandbox = useEnvironment() === 'sandbox'
  const [created, setCreated] = useState<Created>()
  const list = useList('listCredentials', 'credentials', {})
  return (
    <Page
      title="Credentials"
      says={
        isSandbox
          ? 'By these your programs authenticate in the sandbox. Nobody can read a secret again: create another client instead.'
          : 'By these your programs authenticate. Your contact issues, replaces and revokes them; secrets are never shown here.'
      }
      actions={
        isSandbox && (
          <Asking label="Create a client…" title="Create a client" className="button first">
            {(close) => (
              <CreateClient
                close={close}
                onCreated={(client) => {
                  setCreated(client)
                  close()
                }}
              />
            )}
          </Asking>
        )
      }
    >
      {created && <NewSecret client={created} onSeen={() => setCreated(undefined)} />}
      <Table
        label="Credentials"
        list={list}
        keyOf={({ credentialId }) => credentialId}
        columns={[
          {
            header: 'Credential',
            cell: ({ credentialId, name }) => (
              <>
                {name && (
                  <div>
                    <bdi>{name}</bdi>
                  </div>
                )}
                <code>{credentialId}</code>
              </>
            ),
          },
          { header: 'Kind', isMinor: true, cell: ({ kind }) => (kind === 'CERTIFICATE' ? 'Certificate' : 'Client') },
          {
            header: 'State',
            cell: (credential) => {
              const { tone, label } = expiryOf(credential)
              return <Status value={credential.status} tone={tone} label={label} />
            },
          },
          {
            header: `Last used (${zoneName()})`,
            cell: ({ lastUsedOn }) => (lastUsedOn ? <When at={lastUsedOn} /> : 'Never'),
          },
          { header: 'Created', isMinor: true, cell: ({ createdOn }) => <When at={createdOn} /> },
          { header: 'Ends', isMinor: true, cell: ({ expiresOn }) => (expiresOn ? <When at={expiresOn} /> : 'Never') },
          ...(isSandbox
            ? [
                {
                  header: 'Revoke',
                  cell: (credential: Credential) =>
                    credential.madeByPartner ? (
                      <RevokeButton credential={credential} />
                    ) : (
                      <span className="soft">By your contact</span>
                    ),
                },
              ]
            : []),
        ]}
        empty={
          <Empty title="There is no credential">
            {isSandbox ? 'Create a client to make the first call.' : 'Your contact issues the first one.'}
          </Empty>
        }
      />
    </Page>
  )
}

function CreateClient({ close, onCreated }: { close: () => void; onCreated: (client: Created) => void }) {
  const [name, setName] = useState('')
  const create = useChange('createSandboxClient', onCreated)
  return (
    <Form
      submit="Create the client"
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate({ body: { name: name.trim() } })}
      onCancel={close}
    >
      <TextField label="What it is for" value={name} onChange={setName} placeholder="Order server" maxLength={100} />
    </Form>
  )
}

/** A secret is shown once: it stays until somebody says that it is kept. */
function NewSecret({ client, onSeen }: { client: Created; onSeen: () => void }) {
  return (
    <section className="note" data-tone="good" aria-label="The new client">
      <p>
        <strong>The new client.</strong> Its secret is shown only now: copy it into your secret store.
      </p>
      <dl className="facts">
        <div>
          <dt>Client id</dt>
          <dd>
            <code>{client.clientId}</code> <Copy text={client.clientId} what="the client id" />
          </dd>
        </div>
        <div>
          <dt>Client secret</dt>
          <dd>
            <code>{client.clientSecret}</code> <Copy text={client.clientSecret} what="the client secret" />
          </dd>
        </div>
      </dl>
      <button type="button" className="button" onClick={onSeen}>
        I have copied it
      </button>
    </section>
  )
}

function RevokeButton({ credential: { credentialId, name } }: { credential: Credential }) {
  const what = name ?? credentialId
  return (
    <Asking label="Revoke…" title={`Revoke ${what}`} name={`Revoke ${what}`} className="button small">
      {(close) => <Revoke clientId={credentialId} what={what} close={close} />}
    </Asking>
  )
}

function Revoke({ clientId, what, close }: { clientId: string; what: string; close: () => void }) {
  const revoke = useChange('revokeSandboxClient', () => {
    announce(`${what} was revoked`)
    close()
  })
  return (
    <Form
      submit={`Revoke ${what}`}
      danger
      isPending={revoke.isPending}
      error={revoke.error}
      onSubmit={() => revoke.mutate({ clientId })}
      onCancel={close}
    >
      <p>Programs that use it are refused from now on. This cannot be taken back.</p>
    </Form>
  )
}
