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

  /**
   * What keeps these values from being printed, found without drawing. None also where the vendor does not know the id,
   * or does not check.
   * @throws Outage when the vendor cannot answer
   */
  check: (templateId: string, values: TemplateValues) => Promise<readonly ValueProblem[]>

  /**
   * The document with the values filled in, as a print-ready PDF. undefined when the vendor does not know the id, or
   * does not render.
   * @throws Outage when the vendor cannot answer
   */
  render: (templateId: string, values: TemplateValues) => Promise<Rendering | undefined>
}

/** By the names of variables. A variable without a value, or with a blank one, is left empty. */
export type TemplateValues = Readonly<Record<string, string>>

export type Rendering = { pdf: Buffer } | { problems: readonly ValueProblem[] }

/** Why a value cannot be printed. `unusable` stands for every reason that has no word of its own. */
export type ValueProblem = {
  variable: string
  kind: (typeof valueProblemKinds)[number]
  /** of `too_long`: about how many characters would fit, where the vendor can tell */
  lengthMax: number | null
  /** of `no_glyphs`: the characters that none of the document's fonts has */
  characters: string | null
}

export const valueProblemKinds = ['missing', 'not_listed', 'too_long', 'no_glyphs', 'unusable'] as const

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
export const noTemplateVendor: TemplateVendor = {
  document: () => Promise.resolve(undefined),
  check: () => Promise.resolve([]),
  render: () => Promise.resolve(undefined),
}
