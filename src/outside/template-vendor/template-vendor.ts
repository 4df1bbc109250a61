/**
 * The template vendor, which stores the documents that templated products are made from. This is what the service asks
 * of a vendor, however it is reached. The catalog decides which document a product uses.
 */
export type TemplateVendor = {
  /**
   * The vendor's current document; undefined when the vendor does not know the id.
   * @throws Outage when the vendor cannot answer
   */
  document: (templateId: string) => Promise<TemplateDocument | undefined>
}

export type TemplateDocument = { variables: readonly TemplateVariable[] }

/** Something the buyer fills in (CAT-20). */
export type TemplateVariable = {
  /** the exact key under which an order line sends its value */
  name: string
  displayName: string | null
  /** the vendor's own word */
  dataType: string | null
  /** a line without a value for it cannot be made */
  required: boolean
  /** the values to choose from; null = any text */
  listItems: readonly string[] | null
}

/** The name by which products refer to the one supported vendor. */
export const supportedVendor = 'PRESSFORM'

/** Used where no vendor is configured: it has no documents. */
export const noTemplateVendor: TemplateVendor = { document: () => Promise.resolve(undefined) }
