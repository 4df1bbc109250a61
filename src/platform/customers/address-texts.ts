import { isName } from '../../vocabulary/text.ts'

/** The texts of saved addresses, of users and of divisions: kept without space at the ends, and blank ones as null. */

const lengthMax = 255

type Texts<Field extends string> = { [Each in Field]: string | null }

/** @param required the fields that stay texts even if they are blank */
export function withTidyTexts<Address extends Texts<keyof Address & string>>(
  address: Address,
  required: readonly (keyof Address)[],
): Address {
  const entries = Object.entries(address) as [keyof Address, string | null][]
  return Object.fromEntries(
    entries.map(([field, text]) => [field, text?.trim() || (required.includes(field) ? '' : null)]),
  ) as Address
}

/** The first field whose text is no name, or missing where one is required. */
export function unfitText<Address extends Texts<keyof Address & string>>(
  address: Address,
  required: readonly (keyof Address)[],
): keyof Address | undefined {
  const entries = Object.entries(address) as [keyof Address, string | null][]
  return entries.find(([field, text]) => {
    if (text === null || text === '') return required.includes(field)
    return !isName(text, lengthMax)
  })?.[0]
}

/** What {@link unfitText} asks of a field, as a sentence. */
export function fitForm(field: string, isRequired: boolean): string {
  const filled = isRequired ? ', and must not be blank' : ''
  return `The field ${field} must be one line of at most ${lengthMax} characters, at least one of them visible${filled}.`
}
