import { Type } from 'typebox'
import {
  anyInt32,
  described,
  flag,
  int32,
  nullable,
  patchBody,
  record,
  text,
  textUpTo,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'

export const Image = record('Image', {
  imageId: int32,
  imagePath: described(text, 'as stored; not necessarily a public URL'),
  sequence: described(whole, '0 where none was set'),
  primary: flag,
  imageAlt: nullable(text),
  attribution: nullable(text),
  imageWidth: nullable(whole),
  imageHeight: nullable(whole),
})

export const ImageList = record('ImageList', { images: Type.Array(Image) })

export const productImages = {
  listProductImages: operation({
    id: 'listProductImages',
    at: 'GET /v1/products/{productId}/images',
    scope: 'products:read',
    answers: { 200: ImageList },
    refuses: ['product_not_found'],
    says: "Lists a product's images.",
  }),
  updateProductImage: operation({
    id: 'updateProductImage',
    at: 'PATCH /v1/products/{productId}/images/{imageId}',
    scope: 'products:write',
    body: {
      schema: patchBody({
        // The specification names no length; 1,000 is our own bound.
        imageAlt: Type.Optional(nullable(textUpTo(1000))),
        sequence: Type.Optional(anyInt32),
        primary: Type.Optional(
          Type.Literal(true, { description: 'makes this the primary image in place of the one that was' }),
        ),
      }),
      malformed: 'invalid_image_patch',
      nulls: 'refused',
      example: { imageAlt: 'Front of the card', primary: true },
    },
    answers: { 200: ImageList },
    refuses: ['product_not_found', 'image_not_found', 'audit_unavailable'],
    says: "Changes some fields of an image and shows the product's whole image list.",
    agents: { idempotent: true, destructive: true },
  }),
}
