import type { AnswerOf } from '../api/api.ts'
import { TextField, type FormState } from '../kit/form.tsx'
import { orNull } from './texts.ts'
import classes from './user-addresses.module.css'

export const emptyAddress = {
  company: '',
  firstName: '',
  lastName: '',
  street: '',
  street2: '',
  city: '',
  zip: '',
  state: '',
  country: '',
}
type AddressValues = typeof emptyAddress

export function addressValues(address: AnswerOf<'readDivision'>['address']): AddressValues {
  const kept = Object.entries(address ?? {}).map(([name, value]) => [name, value ?? ''] as const)
  return { ...emptyAddress, ...Object.fromEntries(kept) }
}

export function addressBody({ street, city, zip, country, ...rest }: AddressValues) {
  const { company, firstName, lastName, street2, state } = rest
  return {
    street,
    city,
    zip,
    country,
    company: orNull(company),
    firstName: orNull(firstName),
    lastName: orNull(lastName),
    street2: orNull(street2),
    state: orNull(state),
  }
}

const fields = [
  ['company', 'Company'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['street', 'Street and number'],
  ['street2', 'Second line'],
  ['city', 'City'],
  ['zip', 'Postal code'],
  ['state', 'State'],
  ['country', 'Country'],
] as const
const needed: ReadonlySet<string> = new Set(['street', 'city', 'zip', 'country'])

/** @param within where the service tells faults of them */
export function AddressFields<Given extends AddressValues>({
  form,
  within = '',
}: {
  form: FormState<Given>
  within?: string
}) {
  return (
    <div className={classes.fields}>
      {fields.map(([name, label]) => (
        <TextField key={name} form={form} name={name} path={within + name} label={label} required={needed.has(name)} />
      ))}
    </div>
  )
}
