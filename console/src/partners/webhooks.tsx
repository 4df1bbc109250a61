import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { Empty } from '../kit/empty.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { ChoicesField, FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { deliveryReason } from '../support/delivery-reason.ts'
import type { Partner } from './partner.ts'
import classes from './partners.module.css'
import { Secret } from './secret.tsx'
import { PingOutcome } from './test-ping.tsx'

type Endpoint = AnswerOf<'listEndpoints'>['endpoints'][number]
type Given = AnswerOf<'registerEndpoint'>

/** Whether webhooks are sent to an endpoint, and arrive. */
export function endpointState({ disabledOn, failing }: Pick<Endpoint, 'disabledOn' | 'failing'>): string {
  if (disabledOn !== null) return 'DISABLED'
  return failing ? 'FAILING' : 'ACTIVE'
}

/** What happened to orders, of which every endpoint is told unless staff choose otherwise. */
const usualTypes = ['order.status_changed', 'shipment.shipped', 'shipment.cancelled', 'order_line.cancelled']

/** What endpoints can be told besides, and are told only where staff choose it. */
const chosenType = 'proof.pending_review'

/** The partner's receivers, and what they were sent. */
export function Webhooks({ partner }: { partner: Partner }) {
  const environment = useEnvironment()
  const [given, setGiven] = useState<Given | null>(null)
  const [{ endpoint: chosen }] = useUrlState()
  const endpoints = useInfiniteQuery(
    list(
      environment,
      'listEndpoints',
      { query: { partnerId: partner.partnerId } },
      { live: ['delivery', 'webhook_endpoint'] },
    ),
  )
  return (
    <PageBody>
      <Section
        title="Endpoints"
        actions={
          <Verbs
            verbs={[
              asking('registerEndpoint', 'Register an endpoint…', (close) => (
                <Register partner={partner} close={close} onGiven={setGiven} />
              )),
            ]}
          />
        }
      >
        {given?.signingSecret && (
          <Secret
            title={`Signing secret of ${given.endpoint.url}`}
            values={[['Secret', given.signingSecret]]}
            warning="It is shown only now. The partner’s receiver needs it to verify what it is sent."
          />
        )}
        <Loaded query={endpoints}>
          {({ pages }) => {
            const all = pages.flatMap((page) => page.endpoints)
            return all.length === 0 ? (
              <Empty title="Nothing is sent to this partner">Register the address at which its receiver listens.</Empty>
            ) : (
              <ul className={classes.list}>
                {all.map((endpoint) => (
                  <OneEndpoint key={endpoint.endpointId} endpoint={endpoint} onGiven={setGiven} />
                ))}
              </ul>
            )
          }}
        </Loaded>
      </Section>
      {chosen && <Deliveries key={chosen} endpointId={chosen} />}
    </PageBody>
  )
}

function OneEndpoint({ endpoint, onGiven }: { endpoint: Endpoint; onGiven: (given: Given) => void }) {
  const path = { endpointId: endpoint.endpointId }
  const [pinged, setPinged] = useState<number>()
  return (
    <li>
      <div>
        <At to={`/partners/${endpoint.partnerId}?tab=webhooks&endpoint=${endpoint.endpointId}`}>{endpoint.url}</At>{' '}
        <Status value={endpointState(endpoint)} />
        <div className={classes.soft}>
          {endpoint.types.length === 0 ? 'All types' : endpoint.types.join(', ')} ·{' '}
          {endpoint.signed ? 'signed' : 'not signed'} · since <When at={endpoint.createdOn} short />
        </div>
        {pinged !== undefined && <PingOutcome key={pinged} deliveryId={pinged} />}
      </div>
      <Verbs
        first={1}
        label={`More for ${endpoint.url}`}
        verbs={[
          verb(
            'sendTestPing',
            'Send a test ping',
            { path },
            {
              hidden: endpoint.disabledOn !== null,
              quiet: true,
              onDone: ({ deliveryId }) => setPinged(deliveryId),
            },
          ),
          verb('enableEndpoint', 'Enable', { path }, { hidden: endpoint.disabledOn === null }),
          asking('setSubscription', 'Types…', (close) => <Types endpoint={endpoint} close={close} />),
          asking('setTarget', 'Address…', (close) => <Target endpoint={endpoint} close={close} />),
          asking('rotateSecret', 'New secret…', (close) => (
            <Rotate endpoint={endpoint} close={close} onGiven={onGiven} />
          )),
          verb('removeSecret', 'Send unsigned from now on', { path }, { hidden: !endpoint.signed, danger: true }),
          verb('disableEndpoint', 'Disable', { path }, { hidden: endpoint.disabledOn !== null, danger: true }),
        ]}
      />
    </li>
  )
}

const typeChoices = [...usualTypes, chosenType].map((value) => ({ value, label: value }))

const typesSay = `${chosenType} tells that a proof waits for the partner. Only endpoints that it is chosen for are told of it: ask the partner whether its receiver knows it.`

function Register({
  partner,
  close,
  onGiven,
}: {
  partner: Partner
  close: () => void
  onGiven: (given: Given) => void
}) {
  const may = useMay()
  const form = useForm('registerEndpoint', {
    initial: { url: '', types: usualTypes as readonly string[], signed: true as boolean, allowHost: false as boolean },
    input: ({ url, types, signed, allowHost }) => ({
      path: { partnerId: partner.partnerId },
      body: { url, types: [...types], signed, ...(allowHost && { allowHost }) },
    }),
    onDone: (given) => {
      onGiven(given)
      close()
    },
  })
  return (
    <Form form={form} submit="Register the endpoint" onCancel={close}>
      <TextField
        form={form}
        name="url"
        label="Address"
        required
        inputMode="url"
        placeholder="https://hooks.partner.example/orders"
      />
      <ChoicesField form={form} name="types" label="What it is told" description={typesSay} data={typeChoices} />
      <FlagField form={form} name="signed" label="Sign what is sent" />
      {may('createStaffAccount') && (
        <FlagField form={form} name="allowHost" label="Let it be an address on the inside" />
      )}
    </Form>
  )
}

function Types({ endpoint, close }: { endpoint: Endpoint; close: () => void }) {
  const form = useForm('setSubscription', {
    initial: { types: endpoint.types as readonly string[] },
    input: ({ types }) => ({ path: { endpointId: endpoint.endpointId }, body: { types: [...types] } }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Save types" onCancel={close}>
      <ChoicesField form={form} name="types" label="What it is told" description={typesSay} data={typeChoices} />
    </Form>
  )
}

function Target({ endpoint, close }: { endpoint: Endpoint; close: () => void }) {
  const form = useForm('setTarget', {
    initial: { url: endpoint.url },
    input: ({ url }) => ({ path: { endpointId: endpoint.endpointId }, body: { url } }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Save address" onCancel={close}>
      <TextField form={form} name="url" label="Address" required inputMode="url" />
    </Form>
  )
}

function Rotate({
  endpoint,
  close,
  onGiven,
}: {
  endpoint: Endpoint
  close: () => void
  onGiven: (given: Given) => void
}) {
  const form = useForm('rotateSecret', {
    initial: {},
    input: () => ({ path: { endpointId: endpoint.endpointId } }),
    onDone: (given) => {
      onGiven(given)
      close()
    },
  })
  return (
    <Form form={form} submit="Make a new secret" danger onCancel={close}>
      <Text size="sm">The old secret no longer verifies what is sent from now on.</Text>
    </Form>
  )
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const deliveries = useInfiniteQuery(
    list(useEnvironment(), 'listDeliveries', { path: { endpointId } }, { live: ['delivery', 'order'] }),
  )
  return (
    <Section title="Deliveries">
      <Loaded query={deliveries}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.deliveries)
          return all.length === 0 ? (
            <Empty title="Nothing was sent yet">Send a test ping to see whether it answers.</Empty>
          ) : (
            <ul className={classes.list}>
              {all.map((delivery) => (
                <li key={delivery.deliveryId}>
                  <div>
                    <At to={`/support/deliveries/${delivery.deliveryId}`}>
                      {delivery.isTestPing ? 'Test ping' : delivery.type}
                    </At>{' '}
                    {!delivery.isTestPing && (
                      <At to={`/orders/${delivery.orderNumber}`}>order {delivery.orderNumber}</At>
                    )}
                    <div className={classes.soft}>
                      <When at={delivery.attemptedOn ?? delivery.createdOn} />
                      {delivery.durationMilliseconds !== null && ` · ${delivery.durationMilliseconds} ms`}
                      {delivery.responseStatus !== null && ` · answered ${delivery.responseStatus}`}
                      {delivery.reason && ` · ${deliveryReason(delivery.reason)}`}
                    </div>
                  </div>
                  <Status
                    value={delivery.outcome ?? 'queued'}
                    label={delivery.outcome === null ? 'Waiting' : undefined}
                  />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}
