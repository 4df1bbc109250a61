import type { TemplateDocument, TemplateVendor } from '../../outside/template-vendor/template-vendor.ts'
import type { OrderableProduct } from '../catalog/orderable-products.ts'
import { usableTemplateId } from '../catalog/template.ts'
import type { OrderProblem, OrderRequestLine } from './order-request.ts'

/**
 * Problems of the template variables of an order's lines: a name that the product's document does not have, or a value
 * that its list does not offer. Asks the vendor once for each document, and only if a line sets variables.
 * @throws Outage when the vendor does not answer
 */
export async function templateProblems(
  templateVendor: TemplateVendor,
  lines: readonly OrderRequestLine[],
  products: ReadonlyMap<string, OrderableProduct>,
): Promise<OrderProblem[]> {
  const filled = lines.flatMap((line, index) => {
    const product = products.get(line.productId)
    const values = Object.entries(line.templateVariables ?? {})
    if (values.length === 0 || product?.artworkSource !== 'TEMPLATE') return []
    return [{ values, index, partnerLineId: line.partnerLineId, templateId: usableTemplateId(product) }]
  })
  if (filled.length === 0) return []
  const templateIds = [...new Set(filled.flatMap(({ templateId }) => templateId ?? []))]
  const documents = new Map(
    await Promise.all(templateIds.map(async (id) => [id, await templateVendor.document(id)] as const)),
  )
  return filled.flatMap(({ values, index, partnerLineId, templateId }) => {
    const document = templateId === null ? undefined : documents.get(templateId)
    return objections(document, values).map((detail) => ({
      detail,
      field: `lines[${index}].templateVariables`,
      partnerLineId,
    }))
  })
}

function objections(document: TemplateDocument | undefined, values: readonly (readonly [string, string])[]): string[] {
  if (!document) return ['The product has no usable template: leave templateVariables out.']
  const variables = new Map(document.variables.map((variable) => [variable.name, variable]))
  return values.flatMap(([name, value]) => {
    const variable = variables.get(name)
    if (!variable) return [`The product's template has no variable ${quoted(name)}.`]
    if (!variable.listItems || variable.listItems.includes(value)) return []
    return [`The value of ${quoted(name)} must be one of the items that the template lists.`]
  })
}

const quotedLengthMax = 100

function quoted(name: string): string {
  return JSON.stringify(name.length > quotedLengthMax ? `${name.slice(0, quotedLengthMax)}…` : name)
}
