import { described, instant, nullable, text } from './fields.ts'

/** The link to an image, beside the path at which it is stored. */

export const imageUrl = nullable(
  described(
    text,
    'a signed URL that anybody can GET the image by, the same for six hours; null = none can be made now, or the image is not in the store',
  ),
)

export const imageUrlExpiresOn = nullable(
  described(instant, 'when the URL stops working, at least six hours from now: read it again by then'),
)
