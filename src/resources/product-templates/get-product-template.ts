import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { supportedVendor, type TemplateVendor } from '../../outside/template-vendor/template-vendor.ts'
import { templateOf } from '../../platform/catalog/template.ts'
import type { productTemplates } from './contract.ts'

/**
 * A product that is not templated, one of a vendor of the past, one without a document, and one whose document the
 * vendor no longer has are one answer (CAT-24).
 */
export function getProductTemplate(
  database: Database,
  templateVendor: TemplateVendor,
): Handler<typeof productTemplates.getProductTemplate> {
  return async ({ siteIds, path, refuse }) => {
    const product = await templateOf(database.reads, siteIds, path.productId)
    if (!product) throw refuse('product_not_found')
    const document = product.templateId === null ? undefined : await templateVendor.document(product.templateId)
    if (!document) throw refuse('template_not_found')
    return {
      status: 200,
      body: {
        vendor: supportedVendor,
        templateId: product.templateId,
        variables: document.variables.map(({ name, displayName, dataType, required, listItems }) => ({
          name,
          displayName,
          dataType,
          required,
          listItems: listItems && [...listItems],
        })),
      },
    }
  }
}
