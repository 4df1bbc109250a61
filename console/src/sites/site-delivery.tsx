import { useQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { changesOf, orNull } from '../customers/texts.ts'
import { CsvExchange } from '../csv/csv-exchange.tsx'
import { At } from '../kit/at.tsx'
import { DataTable, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { useUrlState } from '../kit/filters.tsx'
import { ChoiceField, FlagField, Form, TextField, useForm, type FormState } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { numberTyped } from '../kit/number.ts'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { asking, Verbs, verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { ServiceRates } from './rate-table.tsx'
import classes from './sites.module.css'

type Services = AnswerOf<'listShippingServices'>
type Service = Services['services'][number]

/** The delivery services of a site; one that is chosen is edited below, with what it costs. */
export function SiteDelivery({ siteId }: { siteId: number }) {
  const environment = useEnvironment()
  const may = useMay()
  const [state, set] = useUrlState()
  const isArchive = state['archived'] === 'true'
  const path = { siteId }
  const services = useQuery(
    read(environment, 'listShippingServices', isArchive ? { path, query: { archived: true } } : { path }),
  )
  const columns: readonly Column<Service>[] = [
    { id: 'name', header: 'Service', cell: ({ serviceName }) => serviceName },
    { id: 'provider', header: 'Carrier', hideBelow: 'sm', cell: ({ provider }) => provider },
    {
      id: 'days',
      header: 'Business days',
      width: 120,
      cell: ({ transitBusinessDaysMin: min, transitBusinessDaysMax: max }) => (min === max ? min : `${min} to ${max}`),
    },
    {
      id: 'price',
      header: 'Costs',
      hideBelow: 'md',
      cell: ({ carrierService, markupPercent }) =>
        `${carrierService ?? 'Its rates'}${Number(markupPercent) === 0 ? '' : `, ${markupPercent} % on top`}`,
    },
    {
      id: 'state',
      header: 'State',
      width: 140,
      cell: ({ enabled, archivedOn, isDefault }) =>
        archivedOn !== null ? (
          <Status value="ARCHIVED" />
        ) : (
          <Status
            value={enabled ? 'ACTIVE' : 'INACTIVE'}
            label={`${enabled ? 'On' : 'Off'}${isDefault ? ', default' : ''}`}
          />
        ),
    },
  ]
  return (
    <PageBody>
      <Section
        title="Services"
        actions={
          <>
            <Verbs
              verbs={[
                asking('createShippingService', 'New service…', (close) => (
                  <NewService
                    siteId={siteId}
                    close={close}
                    onMade={(id) => set({ service: String(id), archived: undefined })}
                  />
                )),
              ]}
            />
            <At to={`/sites/${siteId}?tab=delivery${isArchive ? '' : '&archived=true'}`}>
              {isArchive ? 'Services in use' : 'Archived services'}
            </At>
          </>
        }
      >
        <Loaded query={services}>
          {(found) => (
            <DataTable
              label="Services"
              fit
              rows={found.services}
              columns={columns}
              current={state['service']}
              rowKey={({ shippingServiceId }) => String(shippingServiceId)}
              linkOf={({ shippingServiceId }) =>
                `/sites/${siteId}?tab=delivery&service=${shippingServiceId}${isArchive ? '&archived=true' : ''}`
              }
              empty={
                isArchive ? (
                  <Empty title="No archived services" />
                ) : (
                  <Empty title="Nothing is delivered yet">Begin with "New service".</Empty>
                )
              }
            />
          )}
        </Loaded>
      </Section>
      {services.data?.services
        .filter(({ shippingServiceId }) => String(shippingServiceId) === state['service'])
        .map((service) => (
          <ServiceDetail
            key={service.shippingServiceId}
            siteId={siteId}
            service={service}
            revision={isArchive ? undefined : revisionOf(services.data)}
          />
        ))}
      {may('exportRates') && (
        <Section title="All rates as a file">
          <CsvExchange kind="rates" id={siteId} />
        </Section>
      )}
    </PageBody>
  )
}

function ServiceDetail(props: { siteId: number; service: Service; revision: string | undefined }) {
  const { siteId, service, revision } = props
  const may = useMay()
  const { shippingServiceId, serviceName, archivedOn } = service
  const path = { siteId, shippingServiceId }
  return (
    <>
      <Section
        title={serviceName}
        actions={
          <Verbs
            first={archivedOn === null ? 0 : 1}
            label={`More for ${serviceName}`}
            verbs={[
              verb('restoreShippingService', `Restore ${serviceName}`, { path }, { hidden: archivedOn === null }),
              verb(
                'archiveShippingService',
                `Archive ${serviceName}`,
                { path },
                {
                  danger: true,
                  hidden: archivedOn !== null,
                },
              ),
              verb('deleteShippingService', `Delete ${serviceName}`, { path }, { danger: true }),
            ]}
          />
        }
      >
        {may('changeShippingService') ? (
          <ServiceForm siteId={siteId} service={service} revision={revision} />
        ) : (
          <Facts
            facts={[
              ['Carrier', service.provider],
              ['Markup', `${service.markupPercent} %`],
              ['Tracking', service.trackingUrlForm],
            ]}
          />
        )}
      </Section>
      {may('readShippingRates') && (
        <Section title={`Rates of ${serviceName}`}>
          {service.carrierService !== null && (
            <p>It costs what the carrier charges for {service.carrierService}. The rates are kept for later.</p>
          )}
          <ServiceRates siteId={siteId} shippingServiceId={shippingServiceId} />
        </Section>
      )}
    </>
  )
}

function valuesOf(service: Service | undefined) {
  return {
    kind: (service?.kind ?? 'CARRIER') as string,
    provider: service?.provider ?? '',
    serviceName: service?.serviceName ?? '',
    transitBusinessDaysMin: String(service?.transitBusinessDaysMin ?? ''),
    transitBusinessDaysMax: String(service?.transitBusinessDaysMax ?? ''),
    carrierService: service?.carrierService ?? '',
    markupPercent: service?.markupPercent ?? '0',
    sequence: String(service?.sequence ?? 0),
    trackingUrlForm: service?.trackingUrlForm ?? '',
    enabled: service?.enabled ?? true,
    isDefault: service?.isDefault ?? false,
  }
}
type Values = ReturnType<typeof valuesOf>

function bodyOf(values: Values) {
  return {
    ...values,
    kind: values.kind === 'CUSTOM' ? ('CUSTOM' as const) : ('CARRIER' as const),
    transitBusinessDaysMin: numberTyped(values.transitBusinessDaysMin),
    transitBusinessDaysMax: numberTyped(values.transitBusinessDaysMax),
    sequence: numberTyped(values.sequence),
    carrierService: orNull(values.carrierService),
    trackingUrlForm: orNull(values.trackingUrlForm),
  }
}

function ServiceForm(props: { siteId: number; service: Service; revision: string | undefined }) {
  const { siteId, service, revision } = props
  const form = useForm('changeShippingService', {
    initial: valuesOf(service),
    revision,
    input: (values) => ({
      path: { siteId, shippingServiceId: service.shippingServiceId },
      body: changesOf(service, bodyOf(values)),
    }),
  })
  return <ServiceFields form={form} submit="Save the service" />
}

function NewService(props: { siteId: number; close: () => void; onMade: (shippingServiceId: number) => void }) {
  const { siteId, close, onMade } = props
  const form = useForm('createShippingService', {
    initial: valuesOf(undefined),
    input: (values) => ({ path: { siteId }, body: bodyOf(values) }),
    onDone: ({ shippingServiceId }) => {
      close()
      onMade(shippingServiceId)
    },
  })
  return <ServiceFields form={form} submit="Add the service" onCancel={close} />
}

function ServiceFields(props: { form: FormState<Values>; submit: string; onCancel?: () => void }) {
  const { form, submit, onCancel } = props
  return (
    <Form form={form} submit={submit} onCancel={onCancel}>
      <div className={classes.fields}>
        <TextField form={form} name="serviceName" label="Name" required />
        <TextField form={form} name="provider" label="Carrier" required />
        <ChoiceField
          form={form}
          name="kind"
          label="Kind"
          data={[
            { value: 'CARRIER', label: 'Of a carrier' },
            { value: 'CUSTOM', label: 'Of the works' },
          ]}
        />
        <TextField
          form={form}
          name="transitBusinessDaysMin"
          label="Fewest business days"
          required
          inputMode="numeric"
        />
        <TextField form={form} name="transitBusinessDaysMax" label="Most business days" required inputMode="numeric" />
        <TextField form={form} name="markupPercent" label="Markup in percent" inputMode="decimal" />
        <TextField form={form} name="sequence" label="Place in the list" inputMode="numeric" />
        <TextField
          form={form}
          name="carrierService"
          label="Priced by the carrier's service"
          placeholder="USPS:GroundAdvantage"
        />
        <TextField
          form={form}
          name="trackingUrlForm"
          label="Address to track a parcel"
          placeholder="https://…/{trackingNumber}"
        />
      </div>
      <FlagField form={form} name="enabled" label="Offered" />
      <FlagField form={form} name="isDefault" label="The default of the site" />
    </Form>
  )
}
