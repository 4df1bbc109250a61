import { Checkbox, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { revisionOf, type AnswerOf, type BodyOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { orNull } from '../customers/texts.ts'
import { CsvExchange } from '../csv/csv-exchange.tsx'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { numberTyped } from '../kit/number.ts'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Section } from '../kit/section.tsx'
import { Sheet, useSheet, type SheetColumn } from '../kit/sheet.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { PageTabs } from '../kit/tabs.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Center } from './center-list.tsx'
import classes from './sites.module.css'
import { WorkingCalendar } from './working-calendar.tsx'

const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const

/** A plant: where it is, when it works, and how far its zones reach. */
export function CenterView({ center, revision }: { center: Center; revision: string | undefined }) {
  const { fulfilmentCenterId, name, archivedOn } = center
  const path = { fulfilmentCenterId }
  const may = useMay()
  return (
    <>
      <PageHead
        title={name}
        status={
          archivedOn !== null ? (
            <Status value="ARCHIVED" />
          ) : (
            !center.priceable && <Status value="WARNING" label="Delivery from here is not priced" />
          )
        }
        above={<At to="/sites?tab=plants">Plants</At>}
        about={`Plant ${fulfilmentCenterId} · ${center.timeZone}`}
        actions={
          <Verbs
            first={archivedOn === null ? 0 : 1}
            verbs={[
              verb('restoreFulfilmentCenter', `Restore ${name}`, { path }, { hidden: archivedOn === null }),
              verb(
                'archiveFulfilmentCenter',
                `Archive ${name}`,
                { path },
                {
                  danger: true,
                  hidden: archivedOn !== null,
                },
              ),
              verb('deleteFulfilmentCenter', `Delete ${name}`, { path }, { danger: true }),
            ]}
          />
        }
      />
      <PageTabs
        label="Parts of the plant"
        tabs={[
          {
            name: 'general',
            label: 'General',
            shows: () => (
              <PageBody>
                <Section title="What it is">
                  {may('changeFulfilmentCenter') ? (
                    <CenterForm center={center} revision={revision} />
                  ) : (
                    <CenterFacts center={center} />
                  )}
                </Section>
              </PageBody>
            ),
          },
          {
            name: 'calendar',
            label: 'Calendar',
            needs: 'readWorkingCalendar',
            shows: () => <WorkingCalendar center={center} revision={revision} />,
          },
          { name: 'zones', label: 'Zones', needs: 'readShippingZones', shows: () => <Zones path={path} /> },
        ]}
      />
    </>
  )
}

function CenterForm({ center, revision }: { center: Center; revision: string | undefined }) {
  const hours = Object.fromEntries(
    weekdays.map((day) => [`cutOffHours.${day}`, String(center.cutOffHours[day] ?? '')] as const),
  )
  const form = useForm('changeFulfilmentCenter', {
    initial: {
      name: center.name,
      countryCode: center.countryCode,
      stateCode: center.stateCode,
      postalCode: center.postalCode,
      address1: center.address?.address1 ?? '',
      address2: center.address?.address2 ?? '',
      city: center.address?.city ?? '',
      phone: center.address?.phone ?? '',
      timeZone: center.timeZone,
      cutOffHour: String(center.cutOffHour),
      priceable: center.priceable,
      workingWeekdays: (center.workingWeekdays ?? []) as readonly string[],
      ...(hours as Record<string, string>),
    } as CenterValues,
    revision,
    input: (values) => ({
      path: { fulfilmentCenterId: center.fulfilmentCenterId },
      body: bodyOf(values),
    }),
  })
  return (
    <Form form={form} submit="Save the plant">
      <div className={classes.fields}>
        <TextField form={form} name="name" label="Name" required />
        <TextField form={form} name="address1" path="address.address1" label="Street and number" />
        <TextField form={form} name="address2" path="address.address2" label="Second line" />
        <TextField form={form} name="city" path="address.city" label="City" />
        <TextField form={form} name="stateCode" label="State" />
        <TextField form={form} name="postalCode" label="Postal code" required />
        <TextField form={form} name="countryCode" label="Country" required />
        <TextField form={form} name="phone" path="address.phone" label="Telephone" />
        <TextField form={form} name="timeZone" label="Time zone" required />
        <TextField form={form} name="cutOffHour" label="Cut-off hour" required inputMode="numeric" />
      </div>
      <Checkbox.Group
        label="Works on"
        description="None chosen = the weekdays that are usual in its country."
        value={[...form.values.workingWeekdays]}
        onChange={(days) => form.set('workingWeekdays', days)}
        error={form.faultAt('workingWeekdays')}
      >
        <Group gap="sm" mt={4}>
          {weekdays.map((day) => (
            <Checkbox key={day} value={day} label={inWords(day)} />
          ))}
        </Group>
      </Checkbox.Group>
      <fieldset style={{ border: 'none', margin: 0, padding: 0 }}>
        <legend>Another cut-off hour on</legend>
        <div className={classes.fields}>
          {weekdays.map((day) => (
            <TextField key={day} form={form} name={`cutOffHours.${day}`} label={inWords(day)} inputMode="numeric" />
          ))}
        </div>
      </fieldset>
      <FlagField form={form} name="priceable" label="Delivery from here can be priced" />
    </Form>
  )
}

type CenterValues = {
  name: string
  countryCode: string
  stateCode: string
  postalCode: string
  address1: string
  address2: string
  city: string
  phone: string
  timeZone: string
  cutOffHour: string
  priceable: boolean
  workingWeekdays: readonly string[]
} & { [Day in `cutOffHours.${(typeof weekdays)[number]}`]: string }

function bodyOf(values: CenterValues): BodyOf<'changeFulfilmentCenter'> {
  const { name, countryCode, stateCode, postalCode, timeZone, priceable, cutOffHour } = values
  const hours = weekdays.flatMap((day) => {
    const hour = values[`cutOffHours.${day}`]
    return hour.trim() === '' ? [] : [[day, numberTyped(hour)] as const]
  })
  return {
    name,
    postalCode,
    timeZone,
    priceable,
    countryCode: countryCode.toUpperCase(),
    stateCode: stateCode.toUpperCase(),
    cutOffHour: numberTyped(cutOffHour),
    cutOffHours: Object.fromEntries(hours),
    workingWeekdays:
      values.workingWeekdays.length === 0 ? null : weekdays.filter((day) => values.workingWeekdays.includes(day)),
    ...((values.address1 || values.city) && {
      address: {
        address1: values.address1,
        address2: orNull(values.address2),
        city: values.city,
        phone: orNull(values.phone),
      },
    }),
  }
}

function CenterFacts({ center }: { center: Center }) {
  const { address } = center
  return (
    <Facts
      facts={[
        ['Address', [address?.address1, address?.city, center.stateCode, center.postalCode].filter(Boolean).join(', ')],
        ['Country', center.countryCode],
        ['Telephone', address?.phone],
        ['Cut-off', `${center.cutOffHour}:00`],
        ['Works on', center.workingWeekdays?.map(inWords).join(', ') ?? 'The weekdays that are usual in its country'],
      ]}
    />
  )
}

const zoneColumns: readonly SheetColumn[] = [
  { name: 'countryCode', label: 'Country', width: 80, placeholder: 'US' },
  { name: 'stateCode', label: 'State', width: 80 },
  { name: 'postalPrefix', label: 'Postal codes that begin', width: 170 },
  { name: 'zone', label: 'Zone', width: 70, align: 'end' },
]

function Zones({ path }: { path: { fulfilmentCenterId: number } }) {
  const may = useMay()
  const zones = useQuery(read(useEnvironment(), 'readShippingZones', { path }))
  return (
    <PageBody>
      <Section title="Zones">
        <p>The most specific region decides. Where no zone is named, nothing goes.</p>
        <Loaded query={zones}>{(found) => <ZoneTable path={path} found={found} />}</Loaded>
      </Section>
      {may('exportZones') && (
        <Section title="Zones as a file">
          <CsvExchange kind="zones" id={path.fulfilmentCenterId} />
        </Section>
      )}
    </PageBody>
  )
}

function ZoneTable(props: { path: { fulfilmentCenterId: number }; found: AnswerOf<'readShippingZones'> }) {
  const { path, found } = props
  const may = useMay()
  const sheet = useSheet('replaceShippingZones', {
    rows: found.zones.map(({ countryCode, stateCode, postalPrefix, zone }) => ({
      countryCode,
      stateCode: stateCode ?? '',
      postalPrefix: postalPrefix ?? '',
      zone: String(zone),
    })),
    revision: revisionOf(found),
    input: (rows) => ({
      path,
      body: {
        zones: rows.map((row) => ({
          countryCode: row['countryCode'] ?? '',
          stateCode: row['stateCode'] || null,
          postalPrefix: row['postalPrefix'] || null,
          zone: numberTyped(row['zone'] ?? ''),
        })),
      },
    }),
  })
  return (
    <Sheet
      label="Zones"
      sheet={sheet}
      columns={zoneColumns}
      blank={{ countryCode: 'US', stateCode: '', postalPrefix: '', zone: '' }}
      pathOf={(row, column) => `zones[${row}].${column}`}
      save="Save the zones"
      mayEdit={may('replaceShippingZones')}
      addRow="Add a region"
    />
  )
}
