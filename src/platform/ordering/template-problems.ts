import type {
  TemplateDocument,
  TemplateValues,
  TemplateVendor,
  ValueProblem,
} from '../../outside/template-vendor/template-vendor.ts'
import type { OrderableProduct } from '../catalog/orderable-products.ts'
import { usableTemplateId } from '../catalog/template.ts'
import type { OrderProblem, OrderRequestLine } from './order-request.ts'
import { someAtOnce } from './some-at-once.ts'

/** Calls to the vendor that one order has under way: few, since the vendor draws one after another for all orders. */
export const vendorCallsAtOnce = 2

/**
 * Problems of the template variables of an order's lines: a name that the product's document does not have, a value
 * that its list does not offer, no value for a variable that needs one, or a value that cannot be printed.
 * @throws Outage when the vendor does not answer
 */
export async function templateProblems(
  templateVendor: TemplateVendor,
  lines: readonly OrderRequestLine[],
  products: ReadonlyMap<string, OrderableProduct>,
): Promise<OrderProblem[]> {
  const templated = lines.flatMap((line, index) => {
    const product = products.get(line.productId)
    if (product?.artworkSource !== 'TEMPLATE') return []
    const values = line.templateVariables ?? {}
    return [{ values, index, partnerLineId: line.partnerLineId, templateId: usableTemplateId(product) }]
  })
  const problems = await someAtOnce(
    templated,
    vendorCallsAtOnce,
    async ({ values, index, partnerLineId, templateId }) => {
      const details = await objections(templateVendor, templateId, values)
      return details.map(({ reason, detail }) => ({
        reason,
        detail,
        field: `lines[${index}].templateVariables`,
        partnerLineId,
      }))
    },
  )
  return problems.flat()
}

async function objections(
  vendor: TemplateVendor,
  templateId: string | null,
  values: TemplateValues,
): Promise<Pick<OrderProblem, 'reason' | 'detail'>[]> {
  const document = templateId === null ? undefined : await vendor.document(templateId)
  if (templateId === null || !document) {
    const isFilled = Object.keys(values).length > 0
    const detail = 'The product has no usable template: leave templateVariables out.'
    return isFilled ? [{ reason: 'no_template', detail }] : []
  }
  const unlike = unlikeDocument(document, new Map(Object.entries(values)))
  // The vendor is not asked whether values fit that the document does not even take, and does not tell of them again.
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !unlike.has(name)))
  const found = (await vendor.check(templateId, rest)).filter(({ variable }) => !unlike.has(variable))
  const details = [...unlike.values(), ...found.map(valueProblemSays)]
  return details.map((detail) => ({ reason: 'template_value', detail }))
}

/** @returns what is wrong, by the names of variables */
function unlikeDocument(document: TemplateDocument, values: ReadonlyMap<string, string>): Map<string, string> {
  const known = new Set(document.variables.map(({ name }) => name))
  const unknown = [...values.keys()].filter((name) => !known.has(name))
  return new Map([
    ...unknown.map((name) => [name, `The product's template has no variable ${quoted(name)}.`] as const),
    ...document.variables.flatMap(({ name, required, listItems }) => {
      const value = values.get(name)
      if (required && (value ?? '').trim() === '') return [[name, missing(name)] as const]
      return value === undefined || !listItems || listItems.includes(value) ? [] : [[name, notListed(name)] as const]
    }),
  ])
}

/** A problem that the vendor found, as a sentence for the caller. */
export function valueProblemSays({ variable, kind, lengthMax, characters }: ValueProblem): string {
  const name = quoted(variable)
  switch (kind) {
    case 'missing':
      return missing(variable)
    case 'not_listed':
      return notListed(variable)
    case 'too_long':
      return `The value of ${name} does not fit its field: shorten it${lengthMax === null ? '' : ` to about ${lengthMax} ${lengthMax === 1 ? 'character' : 'characters'}`}.`
    case 'no_glyphs':
      return `The template has no letters for ${characters === null ? 'some characters of' : `${quoted(characters)} in`} the value of ${name}.`
    case 'unusable':
      return `The template cannot print the value of ${name}.`
  }
}

function missing(name: string): string {
  return `The product's template requires a value for ${quoted(name)}.`
}

function notListed(name: string): string {
  return `The value of ${quoted(name)} must be one of the items that the template lists.`
}

const quotedLengthMax = 100

function quoted(text: string): string {
  return JSON.stringify(text.length > quotedLengthMax ? `${text.slice(0, quotedLengthMax)}…` : text)
}
