import type { TemplateDocument, TemplateVendor } from '../../outside/template-vendor/template-vendor.ts'
import type { OrderableProduct } from '../catalog/orderable-products.ts'
import { usableTemplateId } from '../catalog/template.ts'
import type { OrderProblem, OrderRequestLine } from './order-request.ts'

/**
 * Problems of the template variables of an order's lines: a name that the product's document does not have, a value
 * that its list does not offer, or no value for a variable that needs one. Asks the vendor once for each document.
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
    const values = new Map(Object.entries(line.templateVariables ?? {}))
    return [{ values, index, partnerLineId: line.partnerLineId, templateId: usableTemplateId(product) }]
  })
  const templateIds = [...new Set(templated.flatMap(({ templateId }) => templateId ?? []))]
  const documents = new Map(
    await Promise.all(templateIds.map(async (id) => [id, await templateVendor.document(id)] as const)),
  )
  return templated.flatMap(({ values, index, partnerLineId, templateId }) => {
    const document = templateId === null ? undefined : documents.get(templateId)
    return objections(document, values).map((detail) => ({
      detail,
      field: `lines[${index}].templateVariables`,
      partnerLineId,
    }))
  })
}

function objections(document: TemplateDocument | undefined, values: ReadonlyMap<string, string>): string[] {
  if (!document) return values.size > 0 ? ['The product has no usable template: leave templateVariables out.'] : []
  const known = new Set(document.variables.map(({ name }) => name))
  const unknown = [...values.keys()].filter((name) => !known.has(name))
  return [
    ...unknown.map((name) => `The product's template has no variable ${quoted(name)}.`),
    ...document.variables.flatMap(({ name, required, listItems }) => {
      const value = values.get(name)
      if (required && (value ?? '').trim() === '') {
        return [`The product's template requires a value for ${quoted(name)}.`]
      }
      if (value === undefined || !listItems || listItems.includes(value)) return []
      return [`The value of ${quoted(name)} must be one of the items that the template lists.`]
    }),
  ]
}

const quotedLengthMax = 100

function quoted(name: string): string {
  return JSON.stringify(name.length > quotedLengthMax ? `${name.slice(0, quotedLengthMax)}…` : name)
}
