import { FileButton, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { Empty } from '../kit/empty.tsx'
import { Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { countOf } from '../kit/number.ts'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Partner } from './partner.ts'
import classes from './partners.module.css'
import { Secret } from './secret.tsx'

/** By what the partner's programs sign in. */
export function Credentials({ partner }: { partner: Partner }) {
  return (
    <PageBody>
      {partner.machineMethod === 'BEARER' ? <Clients partner={partner} /> : <Certificates partner={partner} />}
    </PageBody>
  )
}

function Clients({ partner }: { partner: Partner }) {
  const path = { partnerId: partner.partnerId }
  const clients = useQuery(read(useEnvironment(), 'listAppClients', { path }))
  const [issued, setIssued] = useState<AnswerOf<'issueAppClient'> | null>(null)
  return (
    <Section
      title="App clients"
      actions={
        <Verbs
          verbs={[
            asking('issueAppClient', 'Issue a client…', (close) => (
              <Issue partner={partner} close={close} onIssued={setIssued} />
            )),
          ]}
        />
      }
    >
      {issued && <IssuedSecret issued={issued} />}
      <Loaded query={clients}>
        {({ clients: all }) =>
          all.length === 0 ? (
            <Empty title="There is no client">Issue one, and send its secret to the partner’s developers.</Empty>
          ) : (
            <ul className={classes.list}>
              {all.map(({ clientId, label, madeByPartner, createdOn, lastUsedOn }) => (
                <li key={clientId}>
                  <div>
                    <strong data-varies>{clientId}</strong> {label}
                    {madeByPartner && ' (made by the partner)'}
                    <div className={classes.soft}>
                      Issued <When at={createdOn} short /> ·{' '}
                      {lastUsedOn ? (
                        <>
                          last used <When at={lastUsedOn} />
                        </>
                      ) : (
                        'never used'
                      )}
                    </div>
                  </div>
                  <Verbs
                    first={1}
                    label={`More for ${clientId}`}
                    verbs={[
                      asking(
                        'revokeAppClient',
                        'Revoke…',
                        (close) => (
                          <Revoke what={label ?? clientId} partner={partner} clientId={clientId} close={close} />
                        ),
                        { danger: true },
                      ),
                    ]}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

export function IssuedSecret({
  issued: { clientId, clientSecret },
}: {
  issued: { clientId: string; clientSecret: string }
}) {
  return (
    <Secret
      title="The new client"
      values={[
        ['Client id', clientId],
        ['Client secret', clientSecret],
      ]}
      warning="The secret is shown only now. Whoever has it can order for this partner; send it by a way that only its developers read."
    />
  )
}

function Issue({
  partner,
  close,
  onIssued,
}: {
  partner: Partner
  close: () => void
  onIssued: (issued: AnswerOf<'issueAppClient'>) => void
}) {
  const form = useForm('issueAppClient', {
    initial: { label: '' },
    input: ({ label }) => ({
      path: { partnerId: partner.partnerId },
      body: label.trim() ? { label: label.trim() } : {},
    }),
    onDone: (issued) => {
      onIssued(issued)
      close()
    },
  })
  return (
    <Form form={form} submit="Issue the client" onCancel={close}>
      <TextField form={form} name="label" label="What it is for" placeholder="Order server" />
    </Form>
  )
}

function Revoke({
  what,
  partner,
  clientId,
  close,
}: {
  what: string
  partner: Partner
  clientId: string
  close: () => void
}) {
  const form = useForm('revokeAppClient', {
    initial: {},
    input: () => ({ path: { partnerId: partner.partnerId, clientId } }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Revoke ${what}`} danger onCancel={close}>
      <Text size="sm">Programs that use it are refused from now on. This cannot be taken back.</Text>
    </Form>
  )
}

function Certificates({ partner }: { partner: Partner }) {
  const path = { partnerId: partner.partnerId }
  const certificates = useQuery(read(useEnvironment(), 'listCertificates', { path }))
  return (
    <Section
      title="Certificates"
      actions={
        <Verbs
          verbs={[
            asking('registerCertificate', 'Register a certificate…', (close) => (
              <Register partner={partner} close={close} />
            )),
          ]}
        />
      }
    >
      <Loaded query={certificates}>
        {({ certificates: all }) =>
          all.length === 0 ? (
            <Empty title="There is no certificate">
              Register the one that the partner sent; its private key stays with the partner.
            </Empty>
          ) : (
            <ul className={classes.list}>
              {all.map((certificate) => (
                <li key={certificate.certificateId}>
                  <div>
                    <strong>{certificate.subjectDn}</strong> <Status {...expiry(certificate.expiresOn)} />
                    <div className={classes.soft}>
                      Serial number {certificate.serialNumber} · good from <When at={certificate.startsOn} short /> to{' '}
                      <When at={certificate.expiresOn} short />
                    </div>
                    <div className={classes.soft} data-varies>
                      SHA-256 {certificate.sha256}
                    </div>
                  </div>
                  <Verbs
                    verbs={[
                      verb(
                        'revokeCertificate',
                        'Revoke',
                        { path: { ...path, certificateId: certificate.certificateId } },
                        { danger: true },
                      ),
                    ]}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

const day = 86_400_000

/** How near the end of a certificate is. */
export function expiry(expiresOn: string): { value: string; label: string } {
  const days = Math.floor((Date.parse(expiresOn) - Date.now()) / day)
  if (days < 0) return { value: 'FAILED', label: 'Expired' }
  return days <= 30
    ? { value: 'WARNING', label: `Ends in ${countOf(days, 'day')}` }
    : { value: 'ACTIVE', label: 'Good' }
}

function Register({ partner, close }: { partner: Partner; close: () => void }) {
  const form = useForm('registerCertificate', {
    initial: { pem: '' },
    input: ({ pem }) => ({ path: { partnerId: partner.partnerId }, body: { pem } }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Register the certificate" onCancel={close}>
      <FileButton onChange={(file) => void file?.text().then((text) => form.set('pem', text))} accept=".pem,.crt,.cer">
        {(props) => (
          <Button {...props} variant="default">
            Choose a file…
          </Button>
        )}
      </FileButton>
      <LongField form={form} name="pem" label="Certificate, PEM" required rows={6} />
    </Form>
  )
}
