import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { ChoiceField, Form, TextField, useForm, type FormState } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { orNull } from './texts.ts'
import classes from './user-addresses.module.css'

type Addresses = AnswerOf<'listUserAddresses'>
type Address = Addresses['addresses'][number]

/** Where goods of a user go, or come from by name. One is edited at its place in the list. */
export function UserAddresses({ userId }: { userId: number }) {
  const may = useMay()
  const addresses = useQuery(read(useEnvironment(), 'listUserAddresses', { path: { userId } }))
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const close = () => setEdited(null)
  return (
    <Section
      title="Addresses"
      actions={
        may('addUserAddress') &&
        edited === null && (
          <Button variant="default" onClick={() => setEdited('new')}>
            Add an address
          </Button>
        )
      }
    >
      {edited === 'new' && <NewAddress userId={userId} close={close} />}
      <Loaded query={addresses}>
        {(found) =>
          found.addresses.length === 0 ? (
            <p>No address is kept. Orders bring their own.</p>
          ) : (
            <ul className={classes.addresses}>
              {found.addresses.map((address) => (
                <li key={address.id}>
                  {edited === address.id ? (
                    <EditedAddress userId={userId} address={address} of={found} close={close} />
                  ) : (
                    <ShownAddress
                      userId={userId}
                      address={address}
                      {...(may('replaceUserAddress') && { onEdit: () => setEdited(address.id) })}
                    />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function ShownAddress({ userId, address, onEdit }: { userId: number; address: Address; onEdit?: () => void }) {
  const person = [address.firstName, address.lastName].filter(Boolean).join(' ')
  const place = [address.city, address.stateCode, address.zip, address.countryCode].filter(Boolean).join(' ')
  const text = [address.company, person, address.address1, address.address2, place, address.phone].filter(Boolean)
  return (
    <Group justify="space-between" gap="sm" align="flex-start" wrap="nowrap">
      <span>
        {text.join(', ')}
        {address.addressType === 'BLIND_FROM' && ' (named as the sender)'}
      </span>
      <Group gap="xs" wrap="nowrap">
        {onEdit && (
          <Button variant="subtle" onClick={onEdit} aria-label={`Edit the address ${address.address1 ?? address.id}`}>
            Edit
          </Button>
        )}
        <Verbs
          first={0}
          label={`More for the address ${address.address1 ?? address.id}`}
          verbs={[
            verb(
              'removeUserAddress',
              `Remove ${address.address1 ?? 'the address'}`,
              { path: { userId, addressId: address.id } },
              { danger: true },
            ),
          ]}
        />
      </Group>
    </Group>
  )
}

function valuesOf(address: Address | undefined) {
  return {
    addressType: (address?.addressType ?? 'SHIP_TO') as string,
    company: address?.company ?? '',
    firstName: address?.firstName ?? '',
    lastName: address?.lastName ?? '',
    phone: address?.phone ?? '',
    address1: address?.address1 ?? '',
    address2: address?.address2 ?? '',
    city: address?.city ?? '',
    zip: address?.zip ?? '',
    countryCode: address?.countryCode ?? 'US',
    stateCode: address?.stateCode ?? '',
  }
}

type Values = ReturnType<typeof valuesOf>

function bodyOf({ addressType, address1, city, zip, countryCode, ...rest }: Values) {
  const { company, firstName, lastName, phone, address2, stateCode } = rest
  return {
    addressType: addressType === 'BLIND_FROM' ? ('BLIND_FROM' as const) : ('SHIP_TO' as const),
    address1,
    city,
    zip,
    countryCode: countryCode.toUpperCase(),
    company: orNull(company),
    firstName: orNull(firstName),
    lastName: orNull(lastName),
    phone: orNull(phone),
    address2: orNull(address2),
    stateCode: orNull(stateCode.toUpperCase()),
  }
}

function NewAddress({ userId, close }: { userId: number; close: () => void }) {
  const form = useForm('addUserAddress', {
    initial: valuesOf(undefined),
    input: (values) => ({ path: { userId }, body: bodyOf(values) }),
    onDone: close,
  })
  return <AddressForm form={form} submit="Add the address" close={close} />
}

function EditedAddress(props: { userId: number; address: Address; of: Addresses; close: () => void }) {
  const { userId, address, of, close } = props
  const form = useForm('replaceUserAddress', {
    initial: valuesOf(address),
    revision: revisionOf(of),
    input: (values) => ({ path: { userId, addressId: address.id }, body: bodyOf(values) }),
    onDone: close,
  })
  return <AddressForm form={form} submit="Save the address" close={close} />
}

function AddressForm({ form, submit, close }: { form: FormState<Values>; submit: string; close: () => void }) {
  return (
    <Form form={form} submit={submit} onCancel={close}>
      <div className={classes.fields}>
        <ChoiceField
          form={form}
          name="addressType"
          label="Used as"
          data={[
            { value: 'SHIP_TO', label: 'Where goods go' },
            { value: 'BLIND_FROM', label: 'Named as the sender' },
          ]}
        />
        <TextField form={form} name="company" label="Company" />
        <TextField form={form} name="firstName" label="First name" />
        <TextField form={form} name="lastName" label="Last name" />
        <TextField form={form} name="address1" label="Street and number" required />
        <TextField form={form} name="address2" label="Second line" />
        <TextField form={form} name="city" label="City" required />
        <TextField form={form} name="zip" label="Postal code" required />
        <TextField form={form} name="stateCode" label="State" />
        <TextField form={form} name="countryCode" label="Country" required />
        <TextField form={form} name="phone" label="Telephone" />
      </div>
    </Form>
  )
}
