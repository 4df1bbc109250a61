import { Type } from 'typebox'
import { described, flag, nullable, record, text } from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'

export const Template = record('Template', {
  vendor: text,
  templateId: nullable(text),
  variables: Type.Array(
    record('TemplateVariable', {
      name: described(text, 'the key for templateVariables of an order line'),
      displayName: nullable(text),
      dataType: nullable(described(text, "the vendor's own word")),
      required: described(flag, 'true = a line needs a value for it that is not blank'),
      listItems: nullable(Type.Array(text, { description: 'the values to choose from; null = not a list' })),
    }),
  ),
})

export const productTemplates = {
  getProductTemplate: operation({
    id: 'getProductTemplate',
    at: 'GET /v1/products/{productId}/template',
    scope: 'products:read',
    answers: { 200: Template },
    refuses: ['product_not_found', 'template_not_found'],
    says: 'Shows the current template of a product with the artworkSource TEMPLATE.',
  }),
}
