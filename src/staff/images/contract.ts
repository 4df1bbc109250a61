import { Type } from 'typebox'
import { anyInt32, nullable, patchBody, record, textUpTo } from '../../contract/fields.ts'
import { StaffImage } from '../catalog/product-records.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const Images = record('StaffImages', { images: Type.Array(StaffImage) })

export const images = staffSubject({
  name: 'Images',
  says: 'Images of products, stored as uploaded and shown by sequence. One of them is the primary.',
  problems: {
    product_not_found: [404, 'No such product.'],
    image_not_found: [404, 'The product has no such image.'],
    images_full: [409, 'The product already has 100 images, the most allowed.'],
    not_an_image: [422, 'The upload is not an image of the type that its Content-Type names.'],
  },
  operations: {
    listImages: staffOperation({
      id: 'listImages',
      at: 'GET /staff/v1/{environment}/products/{productId}/images',
      permission: 'catalog:read',
      answers: { 200: Images },
      refuses: ['product_not_found'],
      says: 'Lists the images of a product by sequence.',
    }),
    addImage: staffOperation({
      id: 'addImage',
      at: 'POST /staff/v1/{environment}/products/{productId}/images',
      permission: 'catalog:write',
      upload: { mediaTypes: ['image/png', 'image/jpeg', 'image/webp'], bytesMax: 10_485_760 },
      answers: { 201: Images },
      refuses: ['not_an_image', 'product_not_found', 'images_full'],
      says: 'Adds an image after the others. The first image of a product is its primary.',
    }),
    changeImage: staffOperation({
      id: 'changeImage',
      at: 'PATCH /staff/v1/{environment}/products/{productId}/images/{imageId}',
      revises: 'listImages',
      permission: 'catalog:write',
      body: {
        schema: patchBody({
          imageAlt: Type.Optional(nullable(textUpTo(1000))),
          sequence: Type.Optional(anyInt32),
          primary: Type.Optional(Type.Literal(true, { description: 'replaces the former primary' })),
        }),
      },
      answers: { 200: Images },
      refuses: ['product_not_found', 'image_not_found'],
      says: 'Changes the alt text or the sequence of an image, or makes it the primary.',
    }),
    removeImage: staffOperation({
      id: 'removeImage',
      at: 'POST /staff/v1/{environment}/products/{productId}/images/{imageId}/remove',
      permission: 'catalog:write',
      answers: { 200: Images },
      refuses: ['product_not_found', 'image_not_found'],
      says: 'Removes an image. If it was the primary, the first of those left becomes the primary.',
    }),
  },
})
