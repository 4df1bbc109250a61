/**
 * The template vendor: who keeps the documents that templated products are made from. It owns what the service asks of a
 * vendor, whichever way it is reached. Which document a product uses is the catalog's matter.
 */
export type TemplateVendor = {
  /**
   * The document as the vendor has it now; undefined where the vendor knows none of that id.
   * @throws Outage when the vendor cannot tell
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
  /** the values to choose from; null = any text */
  listItems: readonly string[] | null
}

/** How products name the one vendor the service works with. */
export const supportedVendor = 'PRESSFORM'

/** Stands in where no vendor is named: nobody keeps any document. */
export const noTemplateVendor: TemplateVendor = { document: () => Promise.resolve(undefined) }
