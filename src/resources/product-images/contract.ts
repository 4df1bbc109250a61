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
import { imageUrl, imageUrlExpiresOn } from '../../contract/image-link.ts'
import { operation } from '../../contract/operation.ts'

export const Image = record('Image', {
  imageId: int32,
  imagePath: described(text, 'as stored; not necessarily a public URL'),
  imageUrl,
  imageUrlExpiresOn,
  sequence: described(whole, '0 = not set'),
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
    says: 'Lists the images of a product.',
  }),
  updateProductImage: operation({
    id: 'updateProductImage',
    at: 'PATCH /v1/products/{productId}/images/{imageId}',
    revises: 'listProductImages',
    scope: 'products:write',
    body: {
      schema: patchBody({
        // The specification names no length; 1,000 is our own bound.
        imageAlt: Type.Optional(nullable(textUpTo(1000))),
        sequence: Type.Optional(anyInt32),
        primary: Type.Optional(
          Type.Literal(true, { description: 'makes this the primary image, in place of the current one' }),
        ),
      }),
      malformed: 'invalid_image_patch',
      nulls: 'refused',
      example: { imageAlt: 'Front of the card', primary: true },
    },
    answers: { 200: ImageList },
    refuses: ['product_not_found', 'image_not_found', 'audit_unavailable'],
    says: 'Changes an image and shows all images of the product; fields that are left out keep their values.',
    agents: { idempotent: true, destructive: true },
  }),
}
