import type { TemplateDocument, TemplateVariable } from '../outside/template-vendor/template-vendor.ts'

/** The documents the demo data's templated products are made from, as the embedded template vendor has them. */

const text = (name: string, displayName: string, required = false): TemplateVariable => ({
  name,
  displayName,
  dataType: 'SingleLineText',
  required,
  listItems: null,
})

const list = (name: string, displayName: string, listItems: readonly string[]): TemplateVariable => ({
  name,
  displayName,
  dataType: 'DropDownList',
  required: false,
  listItems,
})

const person = [text('Name', 'Full name', true), text('Title', 'Job title')]

/** By the codes of the crowd's printed families. */
const familyCodes = ['bc', 'pc', 'br', 'fl', 'lh', 'en', 'pf', 'st', 'np', 'gc', 'dh', 'tt', 'cl', 'po']

export const templateDocuments: ReadonlyMap<string, TemplateDocument> = new Map([
  [
    'business-card-standard',
    {
      variables: [
        ...person,
        text('Email', 'E-mail address'),
        text('Phone', 'Direct line'),
        list('Office', 'Office', ['Boston', 'Chicago', 'San Francisco']),
        // As the vendor has it: without a label, and of a kind it never told.
        { name: 'qr_link', displayName: null, dataType: null, required: false, listItems: null },
      ],
    },
  ],
  ...familyCodes.map((code): [string, TemplateDocument] => [
    `${code}-standard`,
    { variables: [...person, list('Accent', 'Accent color', ['Blue', 'Green', 'Charcoal'])] },
  ]),
])
