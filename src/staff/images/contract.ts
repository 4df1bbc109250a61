import { Type } from 'typebox'
import { anyInt32, nullable, patchBody, record, textUpTo } from '../../contract/fields.ts'
import { StaffImage } from '../catalog/product-records.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const Images = record('StaffImages', { images: Type.Array(StaffImage) })

export const images = staffSubject({
  name: 'Images',
  says: 'Images of products: uploaded as they are, shown by sequence, one of them the primary.',
  problems: {
    product_not_found: [404, 'No such product.'],
    image_not_found: [404, 'The product has no such image.'],
    images_full: [409, 'The product has 100 images already.'],
    not_an_image: [422, 'These bytes are not an image of the kind they were sent as.'],
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
      says: 'Adds an image behind the others; the first one is the primary.',
    }),
    changeImage: staffOperation({
      id: 'changeImage',
      at: 'PATCH /staff/v1/{environment}/products/{productId}/images/{imageId}',
      permission: 'catalog:write',
      body: {
        schema: patchBody({
          imageAlt: Type.Optional(nullable(textUpTo(1000))),
          sequence: Type.Optional(anyInt32),
          primary: Type.Optional(Type.Literal(true, { description: 'in place of the one that was' })),
        }),
      },
      answers: { 200: Images },
      refuses: ['product_not_found', 'image_not_found'],
      says: 'Changes the alt text or the place of an image, or makes it the primary.',
    }),
    removeImage: staffOperation({
      id: 'removeImage',
      at: 'POST /staff/v1/{environment}/products/{productId}/images/{imageId}/remove',
      permission: 'catalog:write',
      answers: { 200: Images },
      refuses: ['product_not_found', 'image_not_found'],
      says: 'Removes an image; where it was the primary, the first of those left is.',
    }),
  },
})
